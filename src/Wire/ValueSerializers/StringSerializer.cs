using System.Reflection;
using Wire.Flat;
using Wire.Format;

namespace Wire.ValueSerializers;

/// <summary>Strings, null included: the header says which.</summary>
internal sealed class StringSerializer : ValueSerializer<string?>, IWindowSerializer
{
    public static readonly StringSerializer Instance = new();

    internal override bool IsLeaf => true;

    internal override bool HoldsNoObjects => true;

    internal override IWindowSerializer InWindow => this;

    public override void Write(ref WireWriter writer, string? value) => writer.WriteString(value);

    public override string? Read(ref WireReader reader) => reader.ReadString();

    public void EmitWriteAt(ICompiler<ObjectWriter> compiler) =>
        compiler.EmitCall(typeof(WireWriter).GetMethod(nameof(WireWriter.WriteStringAt), BindingFlags.Instance | BindingFlags.NonPublic)!);

    public void EmitReadAt(ICompiler<ObjectReader> compiler) =>
        compiler.EmitCall(typeof(WireReader).GetMethod(nameof(WireReader.ReadStringAt), BindingFlags.Instance | BindingFlags.NonPublic)!);

    public override void EmitWriteValue(ICompiler<ObjectWriter> compiler) =>
        compiler.EmitCall(typeof(WireWriter).GetMethod(nameof(WireWriter.WriteString))!);

    public override void EmitReadValue(ICompiler<ObjectReader> compiler) =>
        compiler.EmitCall(typeof(WireReader).GetMethod(nameof(WireReader.ReadString))!);

    internal override FlatBounds? BoundFlat(FlatScope scope) => new FlatBounds(FlatText.MaxBytes, FlatText.Memory, 0);

    internal override int WriteFlat(ref byte destination, int room, string? value, ref FlatTypes types) =>
        room < FlatText.MaxHeader + FlatText.Room(value) ? NotFlat : FlatText.Write(ref destination, value);

    internal override int ReadFlat(ref byte source, int available, out string? value, ref FlatTypes types)
    {
        if (available < 1)
        {
            value = null;
            return NotFlat;
        }

        int size = FlatText.TryRead(ref source, available - 1, out value);
        return size < 0 ? size : 1 + size;
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.String;

    internal override ValueSerializer CreateVectorSerializer() => new ArraySerializer<string?>(this);
}
