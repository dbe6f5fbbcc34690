using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using Wire.Runtime;

namespace Wire.Compilation.Emit;

/// <summary>
/// The position in the window of a <see cref="WireWriter"/> or <see cref="WireReader"/> in emitted code: in a local, from its first use
/// until other code continues writing or reading.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class EmittedPosition<TDelegate>
    where TDelegate : Delegate
{
    private const BindingFlags Internal = BindingFlags.Instance | BindingFlags.NonPublic;

    private readonly MethodCompiler<TDelegate> _compiler;
    private readonly ILGenerator _il;
    private readonly FieldInfo _current;
    private readonly FieldInfo _end;
    private readonly FieldInfo _member;
    private readonly MethodInfo _next;
    private LocalBuilder? _local;
    private bool _isTaken;

    /// <param name="compiler">The method that is being emitted.</param>
    /// <param name="state">The writer or reader, which is the second argument.</param>
    public EmittedPosition(MethodCompiler<TDelegate> compiler, Type state)
    {
        _compiler = compiler;
        _il = compiler.IL;
        _current = state.GetField("_current", Internal)!;
        _end = state.GetField("_end", Internal)!;
        _member = state.GetField(nameof(WireWriter.Member), Internal)!;
        _next = state.GetMethod(nameof(WireWriter.GrowAt), Internal) ?? state.GetMethod(nameof(WireReader.RefillAt), Internal)!;
    }

    /// <summary>Pushes a reference to the writer or reader.</summary>
    public void LoadState() => _il.Emit(OpCodes.Ldarg_1);

    /// <summary>Sets the current member.</summary>
    public void SetMember(int number)
    {
        LoadState();
        _il.Emit(OpCodes.Ldc_I4, number);
        _il.Emit(OpCodes.Stfld, _member);
    }

    /// <summary>Ensures that a number of bytes of the window follow.</summary>
    public void Ensure(int size, int member)
    {
        LocalBuilder local = RentLocal();
        Label rare = _il.DefineLabel();
        Label done = _il.DefineLabel();
        LoadState();
        _il.Emit(OpCodes.Ldfld, _end);
        Load();
        _il.Emit(OpCodes.Sub);
        _il.Emit(OpCodes.Ldc_I4, size);
        _il.Emit(OpCodes.Conv_I);
        _il.Emit(OpCodes.Blt, rare);
        _il.MarkLabel(done);
        _compiler.EmitRare(() =>
        {
            _il.MarkLabel(rare);
            LoadState();
            _il.Emit(OpCodes.Ldloc, local);
            _il.Emit(OpCodes.Ldc_I4, size);
            _il.Emit(OpCodes.Ldc_I4, member);
            _il.Emit(OpCodes.Call, _next);
            _il.Emit(OpCodes.Stloc, local);
            _il.Emit(OpCodes.Br, done);
        });
    }

    /// <summary>Pushes the position, or one a number of bytes after it.</summary>
    public void Load(int offset = 0)
    {
        _il.Emit(OpCodes.Ldloc, RentLocal());
        if (offset > 0)
        {
            _il.Emit(OpCodes.Ldc_I4, offset);
            _il.Emit(OpCodes.Add);
        }
    }

    /// <summary>Takes the new position from the evaluation stack.</summary>
    public void Store() => _il.Emit(OpCodes.Stloc, _local!);

    /// <summary>Advances by a number of bytes.</summary>
    public void Advance(int size)
    {
        Load(size);
        Store();
    }

    /// <summary>Stores the position of an error, a number of bytes ahead, without advancing.</summary>
    public void ReturnBehind(int size)
    {
        LoadState();
        Load(size);
        _il.Emit(OpCodes.Stfld, _current);
    }

    /// <summary>Stores the position for other code.</summary>
    public void Return()
    {
        if (_isTaken)
        {
            ReturnBehind(0);
            _isTaken = false;
        }
    }

    private LocalBuilder RentLocal()
    {
        _local ??= _il.DeclareLocal(typeof(byte).MakeByRefType());
        if (!_isTaken)
        {
            LoadState();
            _il.Emit(OpCodes.Ldfld, _current);
            _il.Emit(OpCodes.Stloc, _local);
            _isTaken = true;
        }

        return _local;
    }
}
