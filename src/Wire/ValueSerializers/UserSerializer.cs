using System.Reflection.Emit;
using Wire.Errors;
using Wire.Format;
using Wire.Sessions;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>
/// Adapts a user's value serializer to the format: its bytes go into a block that can be skipped, unless it has a fixed size. The number of
/// bytes written and read is checked.
/// </summary>
internal sealed class UserSerializer<T>(ValueSerializer<T> inner) : ValueSerializer<T>, IOwnSchema
{
    public override int FixedSize => inner.FixedSize;

    // An object has entered a level of the path already; a value inside another may contain values of its own type.
    private bool IsLevel => typeof(T).IsValueType && FixedSize == 0;

    public override void Write(ref WireWriter writer, T value)
    {
        int outer = UserBlock.BeginWrite(ref writer);
        if (IsLevel)
        {
            WriteOneLevelDown(ref writer, value);
        }
        else
        {
            inner.Write(ref writer, value);
        }

        UserBlock.EndWrite(ref writer, inner, outer);
    }

    public override T Read(ref WireReader reader)
    {
        UserBlock.Extent block = UserBlock.BeginRead(ref reader, FixedSize);
        T value = IsLevel ? ReadOneLevelDown(ref reader) : inner.Read(ref reader);
        UserBlock.EndRead(ref reader, block, inner);
        return value ?? ThrowHelper.Format<T>(WireFormatError.InvalidValue, $"{inner.GetType()} read null instead of a {typeof(T)}.");
    }

    public override void EmitWriteValue(ICompiler<ObjectWriter> compiler)
    {
        if (IsLevel)
        {
            base.EmitWriteValue(compiler);
            return;
        }

        ILGenerator il = compiler.IL;
        LocalBuilder value = il.DeclareLocal(typeof(T));
        LocalBuilder writer = il.DeclareLocal(typeof(WireWriter).MakeByRefType());
        LocalBuilder outer = il.DeclareLocal(typeof(int));
        il.Emit(OpCodes.Stloc, value);
        il.Emit(OpCodes.Stloc, writer);
        il.Emit(OpCodes.Ldloc, writer);
        compiler.EmitCall(typeof(UserBlock).GetMethod(nameof(UserBlock.BeginWrite))!);
        il.Emit(OpCodes.Stloc, outer);
        il.Emit(OpCodes.Ldloc, writer);
        il.Emit(OpCodes.Ldloc, value);
        inner.EmitWriteValue(compiler);
        il.Emit(OpCodes.Ldloc, writer);
        compiler.EmitConstant(inner);
        il.Emit(OpCodes.Ldloc, outer);
        compiler.EmitCall(typeof(UserBlock).GetMethod(nameof(UserBlock.EndWrite))!);
    }

    public override void EmitReadValue(ICompiler<ObjectReader> compiler)
    {
        if (IsLevel)
        {
            base.EmitReadValue(compiler);
            return;
        }

        ILGenerator il = compiler.IL;
        LocalBuilder reader = il.DeclareLocal(typeof(WireReader).MakeByRefType());
        LocalBuilder block = il.DeclareLocal(typeof(UserBlock.Extent));
        il.Emit(OpCodes.Stloc, reader);
        il.Emit(OpCodes.Ldloc, reader);
        il.Emit(OpCodes.Ldc_I4, FixedSize);
        compiler.EmitCall(typeof(UserBlock).GetMethod(nameof(UserBlock.BeginRead))!);
        il.Emit(OpCodes.Stloc, block);
        il.Emit(OpCodes.Ldloc, reader);
        inner.EmitReadValue(compiler);
        il.Emit(OpCodes.Ldloc, reader);
        il.Emit(OpCodes.Ldloc, block);
        compiler.EmitConstant(inner);
        compiler.EmitCall(typeof(UserBlock).GetMethod(nameof(UserBlock.EndRead))!);
    }

    private void WriteOneLevelDown(ref WireWriter writer, T value)
    {
        GraphPath path = writer.Session.Path;
        bool hasStack = path.Enter(writer.Member);
        writer.Member = GraphPath.Root;
        if (hasStack)
        {
            inner.Write(ref writer, value);
        }
        else
        {
            FreshStack.Write(ref writer, inner, value!);
        }

        writer.Member = path.Exit();
    }

    private T ReadOneLevelDown(ref WireReader reader)
    {
        GraphPath path = reader.Session.Path;
        bool hasStack = path.Enter(reader.Member);
        reader.Member = GraphPath.Root;
        T value = hasStack ? inner.Read(ref reader) : (T)FreshStack.Read(ref reader, inner);
        reader.Member = path.Exit();
        return value;
    }

    internal override Shape Describe(ShapeBuilder builder) => FixedSize > 0 ? Shape.Fixed(FixedSize) : Shape.Framed;
}
