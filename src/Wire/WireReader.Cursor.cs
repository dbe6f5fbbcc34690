using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Skipping;
using Wire.Values;

namespace Wire;

/// <content>What a walker over values that no type reads asks of a reader.</content>
public ref partial struct WireReader
{
    bool IPayloadCursor.ReadBoolean() => BooleanFormat.Load(ref ReadRef(1));

    uint IPayloadCursor.ReadCount(int elementSize) => (uint)ReadCount(elementSize, 0, out _);

    uint IPayloadCursor.ReadBounds(int elementSize) => ArrayFormat.ReadBounds(ref this, elementSize, 0, rank: null).Count;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void IPayloadCursor.Skip(long count) => Skipper.SkipFixed(ref this, count);

    void IPayloadCursor.SkipScalar(byte tag, bool isTagged) => Skipper.SkipScalar(ref this, tag);

    void IPayloadCursor.AtElement(int index) => Member = ~index;

    void IPayloadCursor.AtTag() => Session.Recorder?.Save(ref this);

    readonly void IPayloadCursor.AtObject() => Session.Recorder?.Pause();
}
