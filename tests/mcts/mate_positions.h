// Positions with a forced mate in 1, 2 or 3 moves, of every variant family.
#ifndef CROSSRIVER_TESTS_MCTS_MATE_POSITIONS_H_
#define CROSSRIVER_TESTS_MCTS_MATE_POSITIONS_H_

namespace crossriver::testing {

struct MatePosition {
  const char* variant;
  const char* fen;
  int plies;  // 1, 3 or 5: to the mate against the best defence
};

inline constexpr MatePosition kMatePositions[] = {
    {"switchback", "5P+p2/3rk4/9/9/9/1C3c3/3n5/3R5/9/5K3 b 0 57", 1},
    {"switchback", "4P4/9/4k4/9/1R1e3e1/2n6/2+p3cN1/9/3nKE3/3c+P4 w 11 428", 5},
    {"switchback", "2N6/5k3/9/1e3P3/4c4/9/1P1p5/1K2F2p1/8+P/4+p4 b 0 189", 1},
    {"switchback", "3k5/9/9/1eR6/6C2/+P4C3/5E3/9/9/1F5K1 w 8 450", 3},
    {"switchback", "C3P1N2/1k7/9/3R1N3/9/9/9/5P3/1F1c3K1/9 w 0 238", 5},
    {"switchback", "5eN2/1k7/P8/9/9/C8/1E5R+P/1F2K4/3r5/9 w 0 474", 3},
    {"xiangqi", "n3k4/2par4/4P4/6p2/9/2B5c/9/3K4P/C4R3/5R3 w 16 241", 1},
    {"xiangqi", "n1na1aP2/1p1k5/p5r2/7P1/1P7/5C3/6P2/2r2A3/2cB5/3KN4 b 0 407", 3},
    {"xiangqi", "9/3k5/9/9/9/9/R6B1/3P5/3KB3R/1P7 w 0 484", 3},
    {"xiangqi", "5p3/9/4k1C2/9/2R6/6P2/B8/8P/1np6/2CK3N1 w 0 280", 5},
    {"xiangqi", "1CCc1ar2/1n1k5/9/9/2p2R3/6r2/6c2/1N2KA2B/2p2P3/1np6 b 3 345", 1},
    {"xiangqi", "1b3k2P/2c1N4/9/7b1/1C7/2R1pr3/B8/r4A3/2R2K1p1/9 b 62 236", 5},
    {"minishogi", "3K1/5/+R4/1bk2/G1p1s[Rbgs] w 80 348", 3},
    {"minishogi", "2S2/Kp2B/5/k4/1P1R1[B] w 5 344", 3},
    {"minishogi", "5/+sSB+p1/g4/5/k1K2[R] w 25 244", 1},
    {"minishogi", "2R2/3+r1/1G1k1/5/bSKp1[p] b 13 82", 5},
    {"minishogi", "S2r1/3GR/3BK/+p4/1+sk1b[] b 0 304", 1},
    {"minishogi", "GK3/2S+R1/g4/B4/k2s1[PPr] w 30 50", 5},
    {"shoxiang-sh-standard",
     "p2r+P1k2/2+p6/6G2/2P6/2p1g2+S1/1K1gC4/5*p3/2S6/9/5+ph2/8+P/1c2PN3[w] b 14 103", 3},
    {"shoxiang-sh-standard", "9/6+w1+S/5p3/9/4*P3e/9/2h1p3k/9/6*pW1/3K5/3+B1P2N/3P5[S] w 0 339", 1},
    {"shoxiang-sh-standard", "6K2/3Pk1N1s/9/9/8p/5w3/2*h6/2g6/9/1P7/W8/7E1[G] w 0 458", 1},
    {"shoxiang-sh-standard", "4k4/9/2p3pc1/9/9/9/9/9/2P5P/4P4/RNE6/4K4[G] w 0 383", 3},
    {"shoxiang-sh-standard",
     "+p2k4*P/8C/1p1*H5/1C6e/4*W3R/2*WG5/4c2+p1/2+P6/1s2g4/5K3/8p/1P7[HP] w 0 183", 5},
    {"shoxiang-xq-standard", "4k4/9/9/2p6/9/9/9/9/6P1P/9/7Q1/4K2N1[HP] w 20 237", 5},
    {"shoxiang-xq-standard", "4k4/9/9/9/9/9/9/9/P7P/9/2T6/4K1EN1[W] w 75 320", 5},
    {"shoxiang-xq-standard", "2efk3r/1q3x3/9/p1p6/9/9/9/9/7H1/1C5C1/1Q1X1X2W/4K1E1R[hw] b 9 279",
     3},
    {"shoxiang-xq-standard", "9/1R5n1/4k4/9/9/6P2/7+p1/6B2/9/9/9/5K3[P] w 10 232", 3},
    {"shoxiang-xq-standard",
     "4h1p2/5*Q3/3k3*PT/4N3w/4r4/1e7/2P6/9/2+tF1K2E/9/5q3/x2+b5[q] b 21 452", 1},
    {"shoxiang-xq-standard", "3f4e/3k1e1T1/4Z1Q2/3p5/5*P3/1+p7/9/1+Q7/9/3R5/4t3N/3bKW3[X] w 32 260",
     1},
    {"shogi", "5+p1s1/9/4L2K1/2s2+r+p2/2p3k2/P4Pp2/1n1N1g3/4np+l+l1/9[g] b 48 64", 3},
    {"shogi", "l3k4/9/p8/9/9/9/P1P6/7R1/1N2K4[G] w 0 317", 3},
    {"shogi", "7nk/9/5G2K/pP7/9/1p1+n5/1r1+P4p/7R1/7gP[BN] w 0 407", 5},
    {"shogi", "4+P+L3/9/r1p5+P/4p1+S2/2KP+P4/3G5/2k1+p2pG/2l5+P/3+R5[gp] b 0 218", 1},
    {"shogi", "1P7/3P2K+n1/7R1/4L4/4L3k/l3g+SP2/p1G+nP1G2/p1pl+P4/+p8[PS] w 1 433", 5},
    {"shogi", "9/6+p2/5+P1N1/1n5lg/5+p1p1/p5k2/8g/9/5P1K1[g] b 54 281", 1},
};

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_MCTS_MATE_POSITIONS_H_
