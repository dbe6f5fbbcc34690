#!/usr/bin/env bash
# Publishes tests/Wire.Packages.Tests/Programs/NativePeers as native code: Wire, the source generator of System.Text.Json, MemoryPack and
# Nerdbank.MessagePack over the same classes. Writes which round trips each of them passes, and the times of two messages as ratios to
# those of Wire: the median of rounds in turn. Tables of docs/publishing.md.
#
#   eng/native-peers.sh [--runs N]     301 rounds unless said
set -euo pipefail
runs=301
. "$(dirname "${BASH_SOURCE[0]}")/publishing.sh"

# An assembly of its own, which knows none of the serializers: a file, as that of a package is, since the sources of a project could be
# told.
mkdir "$work/foreign"
cp "$programs"/NativePeers/Foreign/*.cs "$work/foreign"
cat > "$work/foreign/foreign.csproj" <<'END'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <Nullable>enable</Nullable>
  </PropertyGroup>
</Project>
END
release_of foreign build out-foreign
native_project peers "<ItemGroup>
    <Reference Include=\"foreign\" HintPath=\"../out-foreign/foreign.dll\" />
    <TrimmerRootAssembly Include=\"foreign\" />
    <PackageReference Include=\"MemoryPack\" Version=\"1.21.4\" />
    <PackageReference Include=\"Nerdbank.MessagePack\" Version=\"1.4.104\" />
  </ItemGroup>
  $wire"
cp "$programs"/NativePeers/*.cs "$work/peers"
native_publish peers
failed=0
"$work/out-peers/peers" trips || failed=$?
"$work/out-peers/peers" times "$runs"
exit "$failed"
