using System.Reflection.Emit;

namespace Wire.Compilation.Flat;

/// <summary>The position in the bytes of a flat object in emitted code: a local, and a constant distance from it.</summary>
internal sealed class FlatPosition
{
    private readonly ILGenerator _il;
    private readonly LocalBuilder _position;
    private int _offset;

    /// <param name="il">The code generator; the position is on the evaluation stack.</param>
    public FlatPosition(ILGenerator il)
    {
        _il = il;
        _position = il.DeclareLocal(typeof(byte).MakeByRefType());
        il.Emit(OpCodes.Stloc, _position);
    }

    /// <summary>Pushes the position.</summary>
    public void Load()
    {
        _il.Emit(OpCodes.Ldloc, _position);
        if (_offset > 0)
        {
            _il.Emit(OpCodes.Ldc_I4, _offset);
            _il.Emit(OpCodes.Add);
        }
    }

    /// <summary>Advances by a number of bytes.</summary>
    public void Advance(int size) => _offset += size;

    /// <inheritdoc cref="Advance(int)"/>
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
        if (_offset > 0)
        {
            Load();
            _il.Emit(OpCodes.Stloc, _position);
            _offset = 0;
        }
    }
}
