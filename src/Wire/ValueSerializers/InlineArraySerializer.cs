using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Compilation;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>Inline arrays, and fixed buffers of unsafe code: a constant count, and the elements.</summary>
internal sealed class InlineArraySerializer<TStruct, T>(ValueSerializer<T> element) : ValueSerializer<TStruct>, IElementSized
    where TStruct : struct
{
    // Keeps the sums and products of sizes far from overflowing.
    private const int MaxElementSize = 1 << 20;

    private static readonly int Length = Unsafe.SizeOf<TStruct>() / Unsafe.SizeOf<T>();

    int IElementSized.LeastSize => (int)Math.Clamp((long)Length * element.ElementSize, 1, MaxElementSize);

    public override void Write(ref WireWriter writer, TStruct value)
    {
        writer.WriteCount(Length, 0);
        element.WriteMany(ref writer, Elements(ref value));
    }

    public override TStruct Read(ref WireReader reader)
    {
        int count = reader.ReadCount(element.ElementSize, 0, out _);
        if (count != Length)
        {
            ThrowHelper.InvalidValue(typeof(TStruct).Name, $"it has {Length} elements and not {count}");
        }

        TStruct value = default;
        element.ReadMany(ref reader, Elements(ref value), 0);
        return value;
    }

    internal override bool IsImmutable => element.IsImmutable;

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        var copy = (TStruct)value;
        parts.AddElements<T>(element, Elements(ref copy));
        return true;
    }

    // The box of a struct may be changed through an interface.
    internal override object CopyObject(ref GraphCopier copier, object value) => Copy(ref copier, (TStruct)value);

    internal override TStruct Copy(ref GraphCopier copier, TStruct value)
    {
        TStruct copy = default;
        element.CopyMany(ref copier, Elements(ref value), Elements(ref copy));
        return copy;
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.Sequence(builder.Build(element));

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Sequence
        ? new InlineArraySerializer<TStruct, T>((ValueSerializer<T>)element.Adapt(writer.Element!, context))
        : null;

    private static Span<T> Elements(scoped ref TStruct value) => MemoryMarshal.CreateSpan(ref Unsafe.As<TStruct, T>(ref value), Length);
}

/// <summary>Gets whether a type is a struct of which reflection sees only the first element.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
internal static class InlineArrays
{
    /// <summary>The first element's field; null when the type is not an inline array or fixed buffer.</summary>
    public static FieldInfo? ElementOf(Type type) =>
        type.IsValueType && (type.IsDefined(typeof(InlineArrayAttribute), inherit: false)
            || type.IsDefined(typeof(UnsafeValueTypeAttribute), inherit: false))
            && type.GetFields(MemberFinder.DeclaredInstance) is [FieldInfo element]
            ? element
            : null;

    /// <summary>The row of an inline array; null for any other type, and for fixed buffers, whose types have no name.</summary>
    public static string? RowFor(Type type) => ElementOf(type) is { } element && NativeNames.Has(type)
        ? $"WireRow.InlineArray<{NativeNames.NameOf(type)}, {NativeNames.NameOf(element.FieldType)}>()"
        : null;

    /// <summary>Returns whether a type is, or is made of, another.</summary>
    public static bool Names(Type type, Type other) => type == other
        || (type.HasElementType && Names(type.GetElementType()!, other))
        || (type.IsConstructedGenericType && Array.Exists(type.GetGenericArguments(), argument => Names(argument, other)));
}
