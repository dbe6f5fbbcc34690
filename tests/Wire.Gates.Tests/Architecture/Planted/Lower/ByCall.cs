using Wire.Gates.Tests.Architecture.Planted.Upper;

namespace Wire.Gates.Tests.Architecture.Planted.Lower;

/// <summary>Refers to the folder above by the argument of a generic method.</summary>
internal static class ByCall
{
    public static object Raise() => Activator.CreateInstance<Roof>();
}
