using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using Wire.Runtime;
using Wire.Slots;

namespace Wire.Compilation.Emit;

/// <summary>Emits the code of a complex type.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed partial class EmitTypeCompiler : ITypeCompiler
{
    private static readonly MethodInfo Track =
        typeof(WireReader).GetMethod(nameof(WireReader.Track), BindingFlags.Instance | BindingFlags.NonPublic)!;

    public Delegate CompileWriter(TypePlan plan)
    {
        var compiler =
            new MethodCompiler<ObjectWriter>($"Write {plan.Type}", plan.Type.IsValueType ? typeof(ObjectWriter) : typeof(BodyWriter));
        ILGenerator il = compiler.IL;
        Action loadTarget = compiler.LoadTarget(plan.Type);
        EmitCallbacks(compiler, plan.Callbacks?.Serializing, loadTarget);
        new NestedWriter(compiler, plan.Type).WriteMembers(MembersOf(il, plan.Members, loadTarget));
        if (plan.IsEmpty)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4_0);
            il.Emit(OpCodes.Call, typeof(WireWriter).GetMethod(nameof(WireWriter.WriteByte))!);
        }

        EmitCallbacks(compiler, plan.Callbacks?.Serialized, loadTarget);
        return compiler.Compile();
    }

    public Delegate CompileReader(TypePlan plan, IReadOnlyList<ReadStep> steps)
    {
        var compiler =
            new MethodCompiler<ObjectReader>($"Read {plan.Type}", plan.Type.IsValueType ? typeof(ObjectReader) : typeof(BodyReader));
        ILGenerator il = compiler.IL;
        ConstructorInfo? constructor = plan.ConstructorFor(steps);
        Action loadTarget = compiler.CreateTarget(plan, constructor);
        if (!plan.Type.IsValueType && !plan.ReadsNoObjects(steps))
        {
            il.Emit(OpCodes.Ldarg_1);
            loadTarget();
            il.Emit(OpCodes.Call, Track);
        }

        if (plan.MissingPart(steps) is { } missing)
        {
            il.Emit(OpCodes.Ldarg_1);
            loadTarget();
            compiler.EmitConstant(missing);
            compiler.EmitCall(typeof(IBasePart).GetMethod(nameof(IBasePart.ConstructMissing))!);
        }

        EmitCallbacks(compiler, plan.Callbacks?.Deserializing, loadTarget);
        // A value type is read in place, over zeros: where a callback or constructor may have changed them, it is read beside them.
        bool inPlace = constructor is null && plan.Callbacks is not { Deserializing.Length: > 0 };
        new NestedReader(compiler, plan.Type).ReadMembers(StepsInto(il, steps, loadTarget, inPlace));
        EmitCallbacks(compiler, plan.Callbacks?.Deserialized, loadTarget);
        EmitAfterGraph(il, plan, loadTarget);
        if (!plan.Type.IsValueType)
        {
            loadTarget();
        }

        return compiler.Compile();
    }
}
