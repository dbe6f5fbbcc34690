using System.Diagnostics.CodeAnalysis;
using System.Reflection.Emit;
using Wire.Compilation.Emit;
using Wire.Flat;
using Wire.Runtime;

namespace Wire.Compilation.Flat;

/// <summary>Emits methods that write flat objects of one class.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class FlatWriterCompiler(TypePlan plan)
{
    /// <summary>Emits a <see cref="FlatWriter"/>.</summary>
    /// <param name="prefix">The bytes in front of the members.</param>
    /// <param name="types">How many types they define.</param>
    /// <param name="takesTag">True if the byte that stands for the type follows them.</param>
    public FlatWriter CompileMessage(byte[] prefix, int types, bool takesTag)
    {
        var compiler = new MethodCompiler<ObjectWriter>($"Write flat {plan.Type}", typeof(FlatWriter));
        ILGenerator il = compiler.IL;
        LocalBuilder target = il.DeclareLocal(plan.Type), needed = il.DeclareLocal(typeof(int));
        Label tooLittle = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_3);
        il.Emit(OpCodes.Stloc, target);
        var code = new FlatWriterCode(compiler, types, knownArgument: 5);
        List<FlatWriterCode.Member> members = code.LoadTexts(
            EmitTypeCompiler.MembersOf(il, plan.Members, () => il.Emit(OpCodes.Ldloc, target)));
        il.Emit(OpCodes.Ldc_I4, prefix.Length + (takesTag ? 1 : 0));
        code.AddRoom(members);
        il.Emit(OpCodes.Stloc, needed);
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Ldloc, needed);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Stloc, code.Room);
        il.Emit(OpCodes.Ldloc, code.Room);
        il.Emit(OpCodes.Ldc_I4_0);
        il.Emit(OpCodes.Blt, tooLittle);
        il.Emit(OpCodes.Ldarg_1);
        var position = new FlatPosition(il);
        FlatBytes.EmitStore(compiler, prefix, position.Load);
        position.Advance(prefix.Length);
        if (takesTag)
        {
            position.Load();
            il.Emit(OpCodes.Ldarg_S, (byte)4);
            il.Emit(OpCodes.Stind_I1);
            position.Advance(1);
        }

        code.Write(members, position);
        position.Load();
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Conv_I4);
        il.Emit(OpCodes.Ret);
        il.MarkLabel(tooLittle);
        il.Emit(OpCodes.Ldloc, needed);
        il.Emit(OpCodes.Not);
        il.Emit(OpCodes.Ret);

        // Where it turns out on the way, how much more is needed is not known.
        il.MarkLabel(code.TooLittle);
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Not);
        il.Emit(OpCodes.Ret);
        il.MarkLabel(code.NotFlat);
        il.Emit(OpCodes.Ldc_I4, FlatType.NotFlat);
        return (FlatWriter)compiler.Compile();
    }

    /// <summary>Emits a <see cref="FlatElementsWriter"/> for objects.</summary>
    public static FlatElementsWriter CompileObjects(TypePlan plan) =>
        CompileElements(plan.Type, (code, first, position) => code.WriteObject(plan, first, position));

    /// <summary>Emits a <see cref="FlatElementsWriter"/> for pairs.</summary>
    public static FlatElementsWriter CompilePairs(ValueSerializer pair) =>
        CompileElements(pair.Type, (code, first, position) => code.WriteElement(pair, first, position));

    private static FlatElementsWriter CompileElements(Type element, Action<FlatWriterCode, LocalBuilder, FlatPosition> write)
    {
        var compiler = new MethodCompiler<ObjectWriter>($"Write elements {element}", typeof(FlatElementsWriter));
        ILGenerator il = compiler.IL;
        LocalBuilder start = il.DeclareLocal(typeof(byte).MakeByRefType()), done = il.DeclareLocal(typeof(int));
        var code = new FlatWriterCode(compiler, tagArgument: 4);
        FlatSequences.EmitRun(
            il, element, (WireWriter.CurrentField, WireWriter.EndField), start, done, code.Room, code.NotFlat, first =>
            {
                il.Emit(OpCodes.Ldloc, start);
                var position = new FlatPosition(il);
                write(code, first, position);
                return position;
            });
        il.MarkLabel(code.TooLittle);
        il.MarkLabel(code.NotFlat);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldloc, start);
        il.Emit(OpCodes.Stfld, WireWriter.CurrentField);
        il.Emit(OpCodes.Ldloc, done);
        return (FlatElementsWriter)compiler.Compile();
    }
}
