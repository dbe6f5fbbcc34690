using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using Wire.Compilation.Flat;
using Wire.Compilation.Flat.Parts;
using Wire.Format;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>Strings, null included: the header says which.</summary>
internal sealed class StringSerializer
    : ValueSerializer<string?>, IFlatSlot, IWindowSlot, IWindowSerializer, IOverwritingSlot, IVectorElement
{
    public static readonly StringSerializer Instance = new();

    internal override bool IsLeaf => true;

    internal override bool HoldsNoObjects => true;

    internal override bool IsImmutable => true;

    IWindowSerializer IWindowSlot.InWindow => this;

    public override void Write(ref WireWriter writer, string? value) => writer.WriteString(value);

    public override string? Read(ref WireReader reader) => reader.ReadString();

    // Text that is equal stays the string that it is.
    public void ReadOver(ref WireReader reader, ref byte variable)
    {
        ref string? text = ref Unsafe.As<byte, string?>(ref variable);
        if (text is null || !StringFormat.TryReadSame(ref reader, text))
        {
            text = reader.ReadString();
        }
    }

    public void EmitWriteAt(ICompiler<ObjectWriter> compiler) =>
        compiler.EmitCall(typeof(WireWriter).GetMethod(nameof(WireWriter.WriteStringAt), BindingFlags.Instance | BindingFlags.NonPublic)!);

    public void EmitReadAt(ICompiler<ObjectReader> compiler) =>
        compiler.EmitCall(typeof(WireReader).GetMethod(nameof(WireReader.ReadStringAt), BindingFlags.Instance | BindingFlags.NonPublic)!);

    public override void EmitWriteValue(ICompiler<ObjectWriter> compiler) =>
        compiler.EmitCall(typeof(WireWriter).GetMethod(nameof(WireWriter.WriteString))!);

    public override void EmitReadValue(ICompiler<ObjectReader> compiler) =>
        compiler.EmitCall(typeof(WireReader).GetMethod(nameof(WireReader.ReadString))!);

    public int MaxFlatSize => FlatText.MaxHeader;

    public void EmitWriteFlat(ICompiler<ObjectWriter> compiler) => compiler.EmitCall(typeof(FlatText).GetMethod(nameof(FlatText.Write))!);

    public void EmitReadFlat(ICompiler<ObjectReader> compiler, bool countsText, bool keepsText)
    {
        compiler.IL.Emit(countsText ? OpCodes.Ldc_I4_1 : OpCodes.Ldc_I4_0);
        compiler.EmitCall(typeof(FlatText).GetMethod(keepsText ? nameof(FlatText.TryReadOver) : nameof(FlatText.TryRead))!);
    }

    public FlatPart CreateFlatPart() => FlatString.Instance;

    internal override Shape Describe(ShapeBuilder builder) => Shape.String;

    public ValueSerializer CreateVectorSerializer() => new ArraySerializer<string?>(this);
}
