namespace Wire.Gates.Tests.Architecture.Planted.Upper;

/// <summary>Stands on the lower folder, which must not know it.</summary>
internal class Roof
{
    public static Lower.Ground Below { get; } = new();

    public static int Height => 2;
}
