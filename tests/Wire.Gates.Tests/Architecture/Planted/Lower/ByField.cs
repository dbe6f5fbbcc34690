using Wire.Gates.Tests.Architecture.Planted.Upper;

namespace Wire.Gates.Tests.Architecture.Planted.Lower;

/// <summary>Refers to the folder above by a field.</summary>
internal struct ByField
{
    public Roof[]? Above;
}
