using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Serialization;

namespace Wire.Compilation.Emit;

/// <content>Calls of a type's serialization callbacks.</content>
internal sealed partial class EmitTypeCompiler
{
    private static void EmitCallbacks<TDelegate>(MethodCompiler<TDelegate> compiler, MethodInfo[]? methods, Action loadTarget)
        where TDelegate : Delegate
    {
        foreach (MethodInfo method in methods ?? [])
        {
            loadTarget();
            compiler.IL.Emit(OpCodes.Call, typeof(SerializationCallbacks).GetProperty(nameof(SerializationCallbacks.Context))!.GetMethod!);
            compiler.IL.Emit(method.IsVirtual && !method.DeclaringType!.IsValueType ? OpCodes.Callvirt : OpCodes.Call, method);
        }
    }

    // An object's callback runs after the whole graph has been read; a value type would have been copied by then, so its callback runs at
    // once.
    private static void EmitAfterGraph(ILGenerator il, TypePlan plan, Action loadTarget)
    {
        if (plan.Callbacks is not { IsAfterGraph: true })
        {
            return;
        }

        if (plan.Type.IsValueType)
        {
            loadTarget();
            il.Emit(OpCodes.Ldnull);
            il.Emit(OpCodes.Constrained, plan.Type);
            il.Emit(OpCodes.Callvirt, typeof(IDeserializationCallback).GetMethod(nameof(IDeserializationCallback.OnDeserialization))!);
        }
        else
        {
            il.Emit(OpCodes.Ldarg_1);
            loadTarget();
            il.Emit(OpCodes.Call, typeof(SerializationCallbacks).GetMethod(nameof(SerializationCallbacks.CallAfterGraph))!);
        }
    }
}
