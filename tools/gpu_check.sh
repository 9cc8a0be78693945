#!/usr/bin/env bash
# Builds crossriver_gpu_check against a given LibTorch, without a network, and runs its tests and
# benchmarks of a device in one go (minutes).
#
#   tools/gpu_check.sh pack FOLDER             on a machine that has them: copies what the build needs
#                                              beside LibTorch (Abseil, Eigen, toml++) to FOLDER
#   tools/gpu_check.sh run LIBTORCH [FOLDER] [DEVICE] [quick]
#                                              builds to build-gpu-check and runs. LIBTORCH is the
#                                              folder that holds share/cmake/Torch, or "system".
#                                              FOLDER is one made by pack, or "system".
set -euo pipefail

case "${1:-}" in
  pack)
    mkdir -p "$2"
    folder=$(cd "$2" && pwd)
    libraries=lib/$(g++ -print-multiarch)
    mkdir -p "$folder/include" "$folder/$libraries/cmake" "$folder/share"
    cp -r /usr/include/absl "/usr/include/toml++" /usr/include/eigen3 "$folder/include/"
    cp -a "/usr/$libraries"/libabsl_*.so* "$folder/$libraries/"
    cp -r "/usr/$libraries/cmake/absl" "$folder/$libraries/cmake/"
    cp -r /usr/share/eigen3 "$folder/share/"
    du -sh "$folder"
    ;;
  run)
    cd "$(dirname "$0")/.."
    arguments=()
    [ "$2" = system ] || arguments+=("-DCMAKE_PREFIX_PATH=$2")
    if [ "${3:-system}" != system ]; then
      folder=$(cd "$3" && pwd)
      arguments+=("-Dabsl_DIR=$(echo "$folder"/lib/*/cmake/absl)"
        "-DEigen3_DIR=$folder/share/eigen3/cmake" "-DCMAKE_CXX_FLAGS=-isystem $folder/include")
    fi
    cmake -S . -B build-gpu-check -DCMAKE_BUILD_TYPE=Release -DCROSSRIVER_GPU_CHECK=ON \
      "${arguments[@]}"
    cmake --build build-gpu-check --target crossriver_gpu_check -j "$(nproc)"
    build-gpu-check/crossriver_gpu_check "${4:-auto}" ${5:+"$5"}
    ;;
  *)
    sed -n '2,13p' "$0" >&2
    exit 2
    ;;
esac
