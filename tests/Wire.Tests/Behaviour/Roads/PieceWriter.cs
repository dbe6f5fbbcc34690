using System.Buffers;

namespace Wire.Tests.Behaviour.Roads;

/// <summary>Gives as little as it may: exactly what it is asked for, or a few bytes.</summary>
internal sealed class PieceWriter(Random random) : IBufferWriter<byte>
{
    private const byte Guard = 0xA5;

    private readonly List<byte> _written = [];
    private byte[] _memory = [];
    private int _room;

    public byte[] Written => [.. _written];

    public void Advance(int count)
    {
        Assert.InRange(count, 0, _room);
        Assert.False(_memory.AsSpan(_room).ContainsAnyExcept(Guard), "Bytes were written behind the span.");
        _written.AddRange(_memory.AsSpan(0, count));
        _room = 0;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        _room = Math.Max(sizeHint, random.Next(1, 17));
        _memory = new byte[_room + 8];
        _memory.AsSpan(_room).Fill(Guard);
        return _memory.AsMemory(0, _room);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
