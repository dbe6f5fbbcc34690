using System.Reflection;
using System.Reflection.Emit;
using Wire.Flat;
using Wire.ValueSerializers;

namespace Wire.Compilation;

/// <content>
/// Flat objects: straight code without a session. The room for members of fixed size and short strings is checked once; what else there
/// is takes from the rest.
/// </content>
internal sealed partial class EmitTypeCompiler : IFlatCompiler
{
    private static readonly MethodInfo TextRoom = typeof(FlatText).GetMethod(nameof(FlatText.Room))!;
    private static readonly MethodInfo WriteString = typeof(FlatText).GetMethod(nameof(FlatText.Write))!;
    private static readonly MethodInfo ReadString = typeof(FlatText).GetMethod(nameof(FlatText.TryRead))!;

    public FlatWriter CompileFlatWriter(TypePlan plan)
    {
        var compiler = new MethodCompiler<ObjectWriter>($"Write flat {plan.Type}", typeof(FlatWriter));
        Label giveUp = compiler.IL.DefineLabel();
        LocalBuilder target = compiler.IL.DeclareLocal(plan.Type);
        compiler.IL.Emit(OpCodes.Ldarg_3);
        compiler.IL.Emit(OpCodes.Stloc, target);
        new FlatMembersWriter(compiler, giveUp).Write(plan, () => compiler.IL.Emit(OpCodes.Ldloc, target));
        return (FlatWriter)compiler.Compile();
    }

    public FlatPartWriter CompilePartWriter(TypePlan plan)
    {
        var compiler = new MethodCompiler<ObjectWriter>($"Write part {plan.Type}", typeof(FlatPartWriter));
        ILGenerator il = compiler.IL;
        LocalBuilder target = il.DeclareLocal(plan.Type.IsValueType ? plan.Type.MakeByRefType() : plan.Type);
        il.Emit(OpCodes.Ldarg_3);
        if (!plan.Type.IsValueType)
        {
            il.Emit(OpCodes.Ldind_Ref);
        }

        il.Emit(OpCodes.Stloc, target);
        new FlatMembersWriter(compiler, il.DefineLabel()).Write(plan, () => il.Emit(OpCodes.Ldloc, target));
        return (FlatPartWriter)compiler.Compile();
    }

    public FlatReader CompileFlatReader(TypePlan plan)
    {
        var compiler = new MethodCompiler<ObjectReader>($"Read flat {plan.Type}", typeof(FlatReader));
        ILGenerator il = compiler.IL;
        var members = new FlatMembersReader(compiler);
        Action loadTarget = members.Read(plan);
        members.GiveUpUnlessAllRead();
        loadTarget();
        il.Emit(OpCodes.Ret);
        il.MarkLabel(members.GiveUp);
        il.Emit(OpCodes.Ldnull);
        return (FlatReader)compiler.Compile();
    }

    public FlatPartReader CompilePartReader(TypePlan plan)
    {
        var compiler = new MethodCompiler<ObjectReader>($"Read part {plan.Type}", typeof(FlatPartReader));
        ILGenerator il = compiler.IL;
        var members = new FlatMembersReader(compiler);
        Action loadTarget = members.Read(plan);
        if (!plan.Type.IsValueType)
        {
            il.Emit(OpCodes.Ldarg_3);
            loadTarget();
            il.Emit(OpCodes.Stind_Ref);
        }

        members.LoadSize();
        il.Emit(OpCodes.Ret);
        il.MarkLabel(members.GiveUp);
        il.Emit(OpCodes.Ldc_I4_M1);
        return (FlatPartReader)compiler.Compile();
    }

    // The least number of bytes of a member that the code knows; 0 for one that checks the room itself.
    private static int KnownSize(ValueSerializer? slot) => slot switch
    {
        IFixedSerializer { FixedSize: var size } => size,
        INullableSerializer { Element: IFixedSerializer } or StringSerializer => 1,
        _ => 0,
    };

    // The method of a value serializer that writes or reads one value of its type.
    private static MethodInfo FlatMethod(ValueSerializer slot, string name) =>
        typeof(ValueSerializer<>).MakeGenericType(slot.Type).GetMethod(name, BindingFlags.Instance | BindingFlags.NonPublic)!;

    // The position in the bytes of a flat object: a local, and a constant distance from it.
    private sealed class FlatPosition
    {
        private readonly ILGenerator _il;
        private readonly LocalBuilder _position;
        private int _offset;

        public FlatPosition(ILGenerator il)
        {
            _il = il;
            _position = il.DeclareLocal(typeof(byte).MakeByRefType());
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Stloc, _position);
        }

        public void Load()
        {
            _il.Emit(OpCodes.Ldloc, _position);
            if (_offset > 0)
            {
                _il.Emit(OpCodes.Ldc_I4, _offset);
                _il.Emit(OpCodes.Add);
            }
        }

        /// <summary>Loads the distance from the beginning.</summary>
        public void LoadSize()
        {
            Load();
            _il.Emit(OpCodes.Ldarg_1);
            _il.Emit(OpCodes.Sub);
            _il.Emit(OpCodes.Conv_I4);
        }

        public void Advance(int size) => _offset += size;

        /// <summary>Advances by a number of bytes, too.</summary>
        public void Advance(LocalBuilder size)
        {
            Load();
            _il.Emit(OpCodes.Ldloc, size);
            _il.Emit(OpCodes.Add);
            _il.Emit(OpCodes.Stloc, _position);
            _offset = 0;
        }

        /// <summary>Stores the whole position in the local, where control flow branches or joins.</summary>
        public void Settle()
        {
            Load();
            _il.Emit(OpCodes.Stloc, _position);
            _offset = 0;
        }
    }
}
