namespace Wire.Tests.Generated;

/// <summary>A small message whose array takes much memory, in which not every byte is a member's.</summary>
internal sealed class Cells
{
    public Cell[] All = [];

    internal struct Cell
    {
        public byte Kind;

        [IgnoreMember]
        public long Cache;
    }
}
