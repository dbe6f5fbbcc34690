using System.Reflection.Emit;
using Wire.Format;

namespace Wire;

/// <summary>
/// Puts a user's value serializer into the format: its bytes go into a frame that can be passed over, unless it has a
/// fixed size. What it writes and reads is checked against either.
/// </summary>
internal sealed class UserSerializer<T>(ValueSerializer<T> inner) : ValueSerializer<T>
{
    public override int FixedSize => inner.FixedSize;

    internal override bool HasOwnSchema => true;

    public override void Write(ref WireWriter writer, T value)
    {
        UserFrame.BeginWrite(ref writer);
        inner.Write(ref writer, value);
        UserFrame.EndWrite(ref writer, inner);
    }

    public override T Read(ref WireReader reader)
    {
        long end = UserFrame.BeginRead(ref reader, FixedSize);
        T value = inner.Read(ref reader);
        UserFrame.EndRead(ref reader, end, inner);
        return value;
    }

    public override void EmitWriteValue(ICompiler<ObjectWriter> compiler)
    {
        ILGenerator il = compiler.IL;
        LocalBuilder value = il.DeclareLocal(typeof(T));
        LocalBuilder writer = il.DeclareLocal(typeof(WireWriter).MakeByRefType());
        il.Emit(OpCodes.Stloc, value);
        il.Emit(OpCodes.Stloc, writer);
        il.Emit(OpCodes.Ldloc, writer);
        compiler.EmitCall(typeof(UserFrame).GetMethod(nameof(UserFrame.BeginWrite))!);
        il.Emit(OpCodes.Ldloc, writer);
        il.Emit(OpCodes.Ldloc, value);
        inner.EmitWriteValue(compiler);
        il.Emit(OpCodes.Ldloc, writer);
        compiler.EmitConstant(inner);
        compiler.EmitCall(typeof(UserFrame).GetMethod(nameof(UserFrame.EndWrite))!);
    }

    public override void EmitReadValue(ICompiler<ObjectReader> compiler)
    {
        ILGenerator il = compiler.IL;
        LocalBuilder reader = il.DeclareLocal(typeof(WireReader).MakeByRefType());
        LocalBuilder end = il.DeclareLocal(typeof(long));
        il.Emit(OpCodes.Stloc, reader);
        il.Emit(OpCodes.Ldloc, reader);
        il.Emit(OpCodes.Ldc_I4, FixedSize);
        compiler.EmitCall(typeof(UserFrame).GetMethod(nameof(UserFrame.BeginRead))!);
        il.Emit(OpCodes.Stloc, end);
        il.Emit(OpCodes.Ldloc, reader);
        inner.EmitReadValue(compiler);
        il.Emit(OpCodes.Ldloc, reader);
        il.Emit(OpCodes.Ldloc, end);
        compiler.EmitConstant(inner);
        compiler.EmitCall(typeof(UserFrame).GetMethod(nameof(UserFrame.EndRead))!);
    }

    internal override Shape Describe(ShapeBuilder builder) => FixedSize > 0 ? Shape.Fixed(FixedSize) : Shape.Framed;
}

/// <summary>The frame around what a user's value serializer writes.</summary>
internal static class UserFrame
{
    public static void BeginWrite(ref WireWriter writer) => writer.Session.BeginFrame(ref writer);

    public static void EndWrite(ref WireWriter writer, ValueSerializer inner) => writer.Session.EndFrame(ref writer, inner);

    public static long BeginRead(ref WireReader reader, int fixedSize)
    {
        long size = fixedSize > 0 ? fixedSize : reader.ReadVarUInt32();
        reader.CheckLength(size);
        return reader.Offset + size;
    }

    public static void EndRead(ref WireReader reader, long end, ValueSerializer inner)
    {
        if (reader.Offset != end)
        {
            Throw.Format(
                WireFormatError.Length,
                $"{inner.GetType()} stopped reading {Math.Abs(end - reader.Offset)} byte(s) {(reader.Offset < end ? "before" : "behind")} the end of what was written.");
        }
    }
}
