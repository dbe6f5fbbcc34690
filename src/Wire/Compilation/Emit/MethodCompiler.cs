using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire.Compilation.Emit;

/// <summary>One method that is being emitted: its constants are the first argument.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class MethodCompiler<TDelegate> : ICompiler<TDelegate>
    where TDelegate : Delegate
{
    private readonly DynamicMethod _method;
    private readonly List<object> _constants = [];
    private readonly List<Action> _rare = [];
    private readonly Dictionary<Type, LocalBuilder> _locals = [];

    private readonly Type _signature;

    /// <param name="name">What to call the method.</param>
    /// <param name="signature">The type of the delegate to make.</param>
    public MethodCompiler(string name, Type signature)
    {
        MethodInfo invoke = signature.GetMethod("Invoke")!;
        _signature = signature;
        _method = new DynamicMethod(
            name,
            invoke.ReturnType,
            [typeof(object[]), .. invoke.GetParameters().Select(parameter => parameter.ParameterType)],
            typeof(EmitTypeCompiler).Module,
            skipVisibility: true);
        IL = _method.GetILGenerator();
    }

    public ILGenerator IL { get; }

    /// <summary>Returns the local for values of a type; each use of it overwrites the one before.</summary>
    public LocalBuilder LocalOf(Type type) =>
        _locals.TryGetValue(type, out LocalBuilder? known) ? known : _locals[type] = IL.DeclareLocal(type);

    public void EmitCall(MethodInfo method)
    {
        ArgumentNullException.ThrowIfNull(method);
        IL.Emit(method.IsVirtual ? OpCodes.Callvirt : OpCodes.Call, method);
    }

    public void EmitConstant(object value)
    {
        ArgumentNullException.ThrowIfNull(value);
        int index = _constants.IndexOf(value);
        if (index < 0)
        {
            index = _constants.Count;
            _constants.Add(value);
        }

        IL.Emit(OpCodes.Ldarg_0);
        IL.Emit(OpCodes.Ldc_I4, index);
        IL.Emit(OpCodes.Ldelem_Ref);
    }

    /// <summary>Emits a jump that is taken unless an object is of exactly a type; the JIT makes it one comparison.</summary>
    public void BranchUnlessExactly(LocalBuilder value, Type type, Label otherwise)
    {
        IL.Emit(OpCodes.Ldloc, value);
        EmitCall(typeof(object).GetMethod(nameof(GetType))!);
        IL.Emit(OpCodes.Ldtoken, type);
        EmitCall(typeof(Type).GetMethod(nameof(Type.GetTypeFromHandle))!);
        EmitCall(typeof(Type).GetMethod("op_Equality")!);
        IL.Emit(OpCodes.Brfalse, otherwise);
    }

    /// <summary>Emits rarely run code after the end of the method; it must jump back.</summary>
    public void EmitRare(Action emit) => _rare.Add(emit);

    /// <summary>Makes a local for the object, or the reference to the value type, to be written.</summary>
    public Action LoadTarget(Type type)
    {
        LocalBuilder target = Declare(type);
        IL.Emit(OpCodes.Ldarg_2);
        IL.Emit(OpCodes.Stloc, target);
        return () => IL.Emit(OpCodes.Ldloc, target);
    }

    /// <summary>Makes a local for a new object, or a reference to the zeroed value type at the location.</summary>
    /// <param name="plan">The plan of the type.</param>
    /// <param name="constructor">The constructor to call, whatever its code; null for none but an empty one.</param>
    public Action CreateTarget(TypePlan plan, ConstructorInfo? constructor = null)
    {
        Type type = plan.Type;
        LocalBuilder target = Declare(type);
        if (type.IsValueType)
        {
            IL.Emit(OpCodes.Ldarg_2);
            IL.Emit(OpCodes.Initobj, type);
            if (constructor is not null)
            {
                IL.Emit(OpCodes.Ldarg_2);
                IL.Emit(OpCodes.Call, constructor);
            }

            IL.Emit(OpCodes.Ldarg_2);
        }
        else if (constructor is not null)
        {
            IL.Emit(OpCodes.Newobj, constructor);
        }
        else
        {
            EmitNew(plan);
        }

        IL.Emit(OpCodes.Stloc, target);
        return () => IL.Emit(OpCodes.Ldloc, target);
    }

    /// <summary>Pushes a new object of a class.</summary>
    public void EmitNew(TypePlan plan)
    {
        if (ObjectFactory.EmptyConstructor(plan) is { } constructor)
        {
            IL.Emit(OpCodes.Newobj, constructor);
        }
        else
        {
            EmitConstant(plan.Type);
            EmitCall(typeof(RuntimeHelpers).GetMethod(nameof(RuntimeHelpers.GetUninitializedObject))!);
        }
    }

    public Delegate Compile()
    {
        IL.Emit(OpCodes.Ret);
        _rare.ForEach(emit => emit());
        return _method.CreateDelegate(_signature, _constants.ToArray());
    }

    private LocalBuilder Declare(Type type) => IL.DeclareLocal(type.IsValueType ? type.MakeByRefType() : type);
}
