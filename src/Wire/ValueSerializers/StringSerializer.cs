using Wire.Format;

namespace Wire;

/// <summary>Strings, null included: the header says which.</summary>
internal sealed class StringSerializer : ValueSerializer<string?>
{
    public static readonly StringSerializer Instance = new();

    internal override bool IsLeaf => true;

    internal override bool HoldsNoObjects => true;

    public override void Write(ref WireWriter writer, string? value) => writer.WriteString(value);

    public override string? Read(ref WireReader reader) => StringFormat.Read(ref reader);

    public override void EmitWriteValue(ICompiler<ObjectWriter> compiler) =>
        compiler.EmitCall(typeof(WireWriter).GetMethod(nameof(WireWriter.WriteString))!);

    public override void EmitReadValue(ICompiler<ObjectReader> compiler) =>
        compiler.EmitCall(typeof(StringFormat).GetMethod(nameof(StringFormat.Read))!);

    internal override Shape Describe(ShapeBuilder builder) => Shape.String;

    internal override ValueSerializer CreateVectorSerializer() => new ArraySerializer<string?>(this);
}
