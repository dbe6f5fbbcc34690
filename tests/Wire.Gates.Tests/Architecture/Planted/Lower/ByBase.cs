using Wire.Gates.Tests.Architecture.Planted.Upper;

namespace Wire.Gates.Tests.Architecture.Planted.Lower;

/// <summary>Refers to the folder above by its base class.</summary>
internal sealed class ByBase : Roof;
