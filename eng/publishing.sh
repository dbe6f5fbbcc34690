# For the scripts that publish programs, which source it: reads their arguments, makes the folder that they work in, writes the project of
# a native program, and publishes it. `runs` is what the script has set unless --runs says another number; called in another way, the
# script prints its first lines of comment.
here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
while [ $# -gt 0 ]; do
  case $1 in
    --runs) runs=${2:?"--runs needs a number"}; shift 2 ;;
    *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[1]}" >&2; exit 2 ;;
  esac
done
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
export DOTNET_ROOT=${DOTNET_ROOT:-$(dirname "$(readlink -f "$(command -v dotnet)")")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=$here/../tests/Wire.Packages.Tests/Programs
rid=$(dotnet --info | sed -n 's/^ *RID: *//p' | head -n 1)
wire="<ItemGroup>
    <ProjectReference Include=\"$here/../src/Wire/Wire.csproj\" />
    <ProjectReference Include=\"$here/../src/Wire.Generator/Wire.Generator.csproj\" OutputItemType=\"Analyzer\" ReferenceOutputAssembly=\"false\" />
  </ItemGroup>
  <Import Project=\"$here/../src/Wire/buildTransitive/WireSerializer.targets\" />"

# native_project NAME ITEMS: the project of a native program of the files beside it.
native_project() {
  mkdir -p "$work/$1"
  cat > "$work/$1/$1.csproj" <<END
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
    <PublishAot>true</PublishAot>
    <CppCompilerAndLinker>gcc</CppCompilerAndLinker>
    <InvariantGlobalization>true</InvariantGlobalization>
    <NoWarn>IL2026;IL3050</NoWarn>
  </PropertyGroup>
  $2
</Project>
END
}

# native_publish NAME: the program is out-NAME/NAME then.
native_publish() { publish_to "$1" "out-$1"; }

# ready_publish NAME: the same with a JIT compiler, and all of the program compiled beforehand: the program is ready-NAME/NAME then.
ready_publish() { publish_to "$1" "ready-$1" -p:PublishAot=false -p:PublishReadyToRun=true -p:SelfContained=false; }

# publish_to NAME FOLDER ARGUMENT...
publish_to() { release_of "$1" publish "$2" -r "$rid" "${@:3}"; }

# release_of NAME COMMAND FOLDER ARGUMENT...: builds or publishes the project into a folder, and shows the output where that fails.
release_of() {
  (cd "$work/$1" && dotnet "$2" -c Release -o "$work/$3" -v q -nologo "${@:4}") > "$work/$1.log" || { cat "$work/$1.log" >&2; exit 1; }
}
