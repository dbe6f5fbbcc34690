using Wire.Gates.Tests.Architecture.Planted.Upper;

namespace Wire.Gates.Tests.Architecture.Planted.Lower;

/// <summary>Refers to the folder above by code in a lambda.</summary>
internal static class ByCode
{
    public static Func<int> Height { get; } = static () => Roof.Height;
}
