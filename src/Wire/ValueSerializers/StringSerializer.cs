using System.Reflection;
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

    internal override Shape Describe(ShapeBuilder builder) => Shape.String;

    internal override ValueSerializer CreateVectorSerializer() => new ArraySerializer<string?>(this);
}
