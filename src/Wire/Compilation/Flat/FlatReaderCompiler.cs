using System.Diagnostics.CodeAnalysis;
using System.Reflection.Emit;
using Wire.Compilation.Emit;
using Wire.Flat;
using Wire.Runtime;

namespace Wire.Compilation.Flat;

/// <summary>Emits methods that read flat objects of one class, as one writer's schema has them.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class FlatReaderCompiler(TypePlan plan, IReadOnlyList<ReadStep> steps)
{
    private const byte UnreadArgument = 4;

    /// <summary>Emits a <see cref="FlatReader"/>.</summary>
    /// <param name="prefix">The bytes in front of the members.</param>
    /// <param name="types">How many types they define.</param>
    /// <param name="isKnown">True if callers have compared them.</param>
    /// <param name="maxLength">The maximal length of a payload, with the bytes that follow.</param>
    public FlatReader CompileMessage(byte[] prefix, int types, bool isKnown, int maxLength)
    {
        var compiler = new MethodCompiler<ObjectReader>($"Read flat {plan.Type}", typeof(FlatReader));
        ILGenerator il = compiler.IL;
        var code = new FlatReaderCode(compiler, types, sessionArgument: 3);
        FlatPosition position = EmitBegin(compiler, code, prefix, isKnown, maxLength);
        Action loadTarget = compiler.CreateTarget(plan);
        code.Read(EmitTypeCompiler.StepsInto(il, steps, loadTarget, inPlace: true), position);
        Label more = il.DefineLabel(), end = il.DefineLabel();
        il.Emit(OpCodes.Ldloc, code.Room);
        il.Emit(OpCodes.Brtrue, more);
        il.MarkLabel(end);
        loadTarget();
        il.Emit(OpCodes.Ret);
        il.MarkLabel(more);
        il.Emit(OpCodes.Ldarg_S, UnreadArgument);
        il.Emit(OpCodes.Brfalse, code.NotFlat);
        il.Emit(OpCodes.Ldarg_S, UnreadArgument);
        il.Emit(OpCodes.Ldloc, code.Room);
        il.Emit(OpCodes.Stind_I4);
        il.Emit(OpCodes.Br, end);
        il.MarkLabel(code.NotFlat);
        il.Emit(OpCodes.Ldnull);
        return (FlatReader)compiler.Compile();
    }

    /// <summary>Emits a <see cref="FlatOverwriter"/>.</summary>
    /// <param name="prefix">The bytes in front of the members.</param>
    /// <param name="maxLength">The maximal length of a payload.</param>
    public FlatOverwriter CompileOverwriter(byte[] prefix, int maxLength)
    {
        var compiler = new MethodCompiler<ObjectReader>($"Read flat over {plan.Type}", typeof(FlatOverwriter));
        ILGenerator il = compiler.IL;
        var code = new FlatReaderCode(compiler, firstType: 0, sessionArgument: 0) { Overwrites = true };
        FlatPosition position = EmitBegin(compiler, code, prefix, isKnown: false, maxLength);
        LocalBuilder target = il.DeclareLocal(plan.Type);
        il.Emit(OpCodes.Ldarg_3);
        il.Emit(OpCodes.Stloc, target);
        code.Read(EmitTypeCompiler.StepsInto(il, steps, () => il.Emit(OpCodes.Ldloc, target), inPlace: true), position);
        il.Emit(OpCodes.Ldloc, code.Room);
        il.Emit(OpCodes.Ldc_I4_0);
        il.Emit(OpCodes.Ceq);
        il.Emit(OpCodes.Ret);
        il.MarkLabel(code.NotFlat);
        il.Emit(OpCodes.Ldc_I4_0);
        return (FlatOverwriter)compiler.Compile();
    }

    // Leaves for NotFlat where there are too few bytes, or too many, or others in front of the members.
    private FlatPosition EmitBegin(
        MethodCompiler<ObjectReader> compiler, FlatReaderCode code, byte[] prefix, bool isKnown, int maxLength)
    {
        ILGenerator il = compiler.IL;
        int min = prefix.Length + FlatReaderCode.MinSizeOf(steps);
        il.Emit(OpCodes.Ldarg_2);
        code.StoreRoom(min);
        il.Emit(OpCodes.Ldloc, code.Room);
        il.Emit(OpCodes.Ldc_I4, Math.Max(0, maxLength - min));
        // Where none is short enough, none is read.
        il.Emit(maxLength < min ? OpCodes.Bge_Un : OpCodes.Bgt_Un, code.NotFlat);
        il.Emit(OpCodes.Ldarg_1);
        var position = new FlatPosition(il);
        if (!isKnown)
        {
            FlatBytes.EmitCompare(compiler, prefix, position.Load, code.NotFlat);
        }

        position.Advance(prefix.Length);
        return position;
    }

    /// <summary>Emits a <see cref="FlatElementsReader"/> for objects.</summary>
    /// <param name="plan">Their class.</param>
    /// <param name="steps">The steps for reading them.</param>
    /// <param name="overwrites">True if they are read into objects of the caller.</param>
    public static FlatElementsReader CompileObjects(TypePlan plan, IReadOnlyList<ReadStep> steps, bool overwrites = false) =>
        CompileElements(plan.Type, (code, first, position) => code.ReadObject(plan, steps, first, position), overwrites);

    /// <summary>Emits a <see cref="FlatElementsReader"/> for pairs.</summary>
    public static FlatElementsReader CompilePairs(ValueSerializer pair) =>
        CompileElements(pair.Type, (code, first, position) => code.ReadElement(pair, first, position));

    private static FlatElementsReader CompileElements(
        Type element, Action<FlatReaderCode, LocalBuilder, FlatPosition> read, bool overwrites = false)
    {
        var compiler = new MethodCompiler<ObjectReader>($"Read elements {element}", typeof(FlatElementsReader));
        ILGenerator il = compiler.IL;
        LocalBuilder start = il.DeclareLocal(typeof(byte).MakeByRefType()), done = il.DeclareLocal(typeof(int));
        var code = new FlatReaderCode(compiler, tagArgument: 4) { Overwrites = overwrites };
        FlatSequences.EmitRun(
            il, element, (WireReader.CurrentField, WireReader.EndField), start, done, code.Room, code.NotFlat, first =>
            {
                // For values that are not valid.
                StoreState(il, start, done);
                il.Emit(OpCodes.Ldloc, start);
                var position = new FlatPosition(il);
                read(code, first, position);
                return position;
            });
        il.MarkLabel(code.NotFlat);
        StoreState(il, start, done);
        return (FlatElementsReader)compiler.Compile();
    }

    private static void StoreState(ILGenerator il, LocalBuilder start, LocalBuilder done)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldloc, start);
        il.Emit(OpCodes.Stfld, WireReader.CurrentField);
        il.Emit(OpCodes.Ldarg_S, (byte)5);
        il.Emit(OpCodes.Ldloc, done);
        il.Emit(OpCodes.Stind_I4);
    }
}
