using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Compilation.Flat;
using Wire.Compilation.Flat.Parts;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Flat;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Sessions.Objects;
using Wire.Slots;

namespace Wire.ValueSerializers.Collections;

/// <summary>A pair of a dictionary: the key, then the value. The layout is that of the enclosing map.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
internal sealed class PairSerializer<TKey, TValue>(ValueSerializer<TKey> key, ValueSerializer<TValue> value, bool allowsNull)
    : ElementSerializer<KeyValuePair<TKey, TValue>>, IElementSized, IFlatPairs, IOverwritingSlot, IPairSerializer
{
    private readonly Elements<TValue> _values = new(value);

    // Null until it is asked for.
    private Lazy<FlatElements?>? _flat;

    public ValueSerializer Key => key;

    public ValueSerializer Value => value;

    public override FlatElements? FlatElements => (_flat ??= new(ElementCompiler.TryCreate(this))).Value;

    internal override bool IsImmutable => key.IsImmutable && value.IsImmutable;

    internal override bool TryAddParts(GraphParts parts, object pair)
    {
        (TKey first, TValue second) = (KeyValuePair<TKey, TValue>)pair;
        parts.Add(GraphPath.Root, key, first);
        parts.Add(GraphPath.Root, value, second);
        return true;
    }

    internal override KeyValuePair<TKey, TValue> Copy(ref GraphCopier copier, KeyValuePair<TKey, TValue> pair) =>
        new(key.Copy(ref copier, pair.Key), value.Copy(ref copier, pair.Value));

    FlatPart IFlatPairs.CreateFlatPart(FlatPart value) => new FlatPair<TKey, TValue>(new FlatParts().Of(key)!, value);

    int IElementSized.LeastSize => Shape.AddSizes(key.ElementSize, value.ElementSize);

    public override void Write(ref WireWriter writer, KeyValuePair<TKey, TValue> pair)
    {
        int member = writer.Member;
        key.Write(ref writer, pair.Key);

        // The members of a key have been named meanwhile.
        writer.Member = member;
        value.Write(ref writer, pair.Value);
    }

    public override KeyValuePair<TKey, TValue> Read(ref WireReader reader)
    {
        int member = reader.Member;
        TKey k = key.Read(ref reader);
        if (k is null && !allowsNull)
        {
            ThrowHelper.InvalidValue("dictionary", "a key is null");
        }

        reader.Member = member;
        return new(k, value.Read(ref reader));
    }

    public void ReadOver(ref WireReader reader, ref byte variable)
    {
        ref KeyValuePair<TKey, TValue> pair = ref Unsafe.As<byte, KeyValuePair<TKey, TValue>>(ref variable);
        (TKey k, TValue v) = pair;
        int member = reader.Member;
        key.ReadOver(ref reader, ref Unsafe.As<TKey, byte>(ref k));
        if (k is null && !allowsNull)
        {
            ThrowHelper.InvalidValue("dictionary", "a key is null");
        }

        reader.Member = member;
        value.ReadOver(ref reader, ref Unsafe.As<TValue, byte>(ref v));
        pair = new(k, v);
    }

    public override void WriteElement(ref WireWriter writer, KeyValuePair<TKey, TValue> pair, int index, ref WrittenElements elements)
    {
        if (!key.IsLeaf)
        {
            writer.Member = ~index;
            Write(ref writer, pair);
            return;
        }

        elements.MoveTo(ref writer, index);
        key.Write(ref writer, pair.Key);
        _values.Write(ref writer, pair.Value, index, ref elements);
    }

    public override KeyValuePair<TKey, TValue> ReadElement(ref WireReader reader, int index, ref ReadElements elements)
    {
        if (!key.IsLeaf)
        {
            reader.Member = ~index;
            return Read(ref reader);
        }

        elements.MoveTo(ref reader, index);
        TKey k = key.Read(ref reader);
        if (k is null && !allowsNull)
        {
            ThrowHelper.InvalidValue("dictionary", "a key is null");
        }

        return new(k, _values.Read(ref reader, index, ref elements));
    }

    public object? KeyOf(object pair) => ((KeyValuePair<TKey, TValue>)pair).Key;

    public ValueSerializer Adapted(Shape map, AdaptContext context) => new PairSerializer<TKey, TValue>(
        (ValueSerializer<TKey>)key.Adapt(map.Element!, context),
        (ValueSerializer<TValue>)value.Adapt(map.Value!, context),
        allowsNull);
}
