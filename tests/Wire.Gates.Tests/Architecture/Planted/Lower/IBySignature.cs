using Wire.Gates.Tests.Architecture.Planted.Upper;

namespace Wire.Gates.Tests.Architecture.Planted.Lower;

/// <summary>Refers to the folder above by a signature without code.</summary>
internal interface IBySignature
{
    void Raise(Roof roof);
}
