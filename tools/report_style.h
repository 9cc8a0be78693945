// The style sheet of a report's page.
#ifndef CROSSRIVER_TOOLS_REPORT_STYLE_H_
#define CROSSRIVER_TOOLS_REPORT_STYLE_H_

namespace crossriver {

// Colours of series are told apart by the colour-blind (after Okabe and Ito), and are lighter on a
// dark page. Nothing in it is loaded from elsewhere.
inline constexpr char kReportStyle[] = R"css(
:root {
  color-scheme: light dark;
  --page: #fbfaf7; --card: #ffffff; --ink: #22262b; --quiet: #5d6570; --line: #dcd9d2;
  --s0: #0067a5; --s1: #c4500a; --s2: #007f5f; --s3: #a8478a; --s4: #8a6d00; --s5: #44556b;
  --r0: #b3392f; --r1: #8b8f96; --r2: #1b6673; --r3: #cfc8b8; --on: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --card: #1e2227; --ink: #e6e4df; --quiet: #a3abb5; --line: #363c44;
    --s0: #5db4f0; --s1: #f19a55; --s2: #4fc9a2; --s3: #e08cc4; --s4: #d9bc4a; --s5: #a9b9cd;
    --r0: #e0786c; --r1: #8d949d; --r2: #58b3c1; --r3: #57534a; --on: #101316;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 62rem; background: var(--page);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .4rem; }
h3 { font-size: 1rem; margin: 0 0 .4rem; }
p { margin: .4rem 0; max-width: 46rem; }
.quiet { color: var(--quiet); }
.tiles, .grid { display: grid; gap: .8rem; margin: 1rem 0; }
.tiles { grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); }
.grid { grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
.tile, .card {
  background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: .8rem .9rem; min-width: 0;
}
.tile b { display: block; font-size: 1.45rem; line-height: 1.25; }
.tile span { display: block; color: var(--quiet); font-size: .85rem; }
.card:has(table) { grid-column: 1 / -1; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td {
  padding: .3rem .5rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; font-variant-numeric: tabular-nums;
}
th { color: var(--quiet); font-weight: 600; }
th:first-child, td:first-child { text-align: left; }
code { font-size: .9em; overflow-wrap: anywhere; }
.formula { overflow-x: auto; white-space: nowrap; font-family: ui-monospace, monospace; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .9rem; }
.key { display: inline-block; width: .8em; height: .8em; border-radius: .2em; margin-right: .35em; }
.board svg { width: 100%; max-width: 30rem; height: auto; display: block; margin: 0 auto; }
.s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); }
.s3 { --c: var(--s3); } .s4 { --c: var(--s4); } .s5 { --c: var(--s5); }
.r0 { --c: var(--r0); } .r1 { --c: var(--r1); } .r2 { --c: var(--r2); } .r3 { --c: var(--r3); }
.key { background: var(--c); }
.chart { width: 100%; max-width: 36rem; height: auto; display: block; }
.chart text { fill: var(--ink); font-size: 13px; }
.chart text.on { fill: var(--on); }
.chart .grid { stroke: var(--line); }
.chart .level { stroke: var(--quiet); stroke-dasharray: 5 4; }
.chart .line { fill: none; stroke: var(--c); stroke-width: 2; }
.chart .band { fill: var(--c); opacity: .22; }
.chart .dot { fill: var(--c); }
.chart .whisker { stroke: var(--c); stroke-width: 2.5; }
.chart rect { fill: var(--c); }
@media print { body { max-width: none; } .card, .tile { break-inside: avoid; } }
)css";

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_REPORT_STYLE_H_
