using System.Reflection.Emit;
using Wire.Compilation.Emit;
using Wire.Types;

namespace Wire.Compilation.Flat;

/// <summary>A method that is emitted for flat objects, and what both sides keep in it.</summary>
/// <typeparam name="TDelegate">What the method is for where it is not flat.</typeparam>
internal abstract class FlatCode<TDelegate>
    where TDelegate : Delegate
{
    private readonly Dictionary<TypeEntry, LocalBuilder> _tags = [];

    /// <summary>The code of a whole message.</summary>
    /// <param name="compiler">The method.</param>
    /// <param name="firstType">The first identifier of a standalone message that is free.</param>
    protected FlatCode(MethodCompiler<TDelegate> compiler, int firstType)
        : this(compiler)
    {
        IL.Emit(OpCodes.Ldc_I4, firstType);
        IL.Emit(OpCodes.Stloc, NextType);
    }

    /// <summary>The code of elements.</summary>
    /// <param name="compiler">The method.</param>
    /// <param name="tagArgument">The argument that has the byte that stands for the type of their objects.</param>
    protected FlatCode(MethodCompiler<TDelegate> compiler, byte tagArgument)
        : this(compiler) => TagArgument = tagArgument;

    private FlatCode(MethodCompiler<TDelegate> compiler)
    {
        Compiler = compiler;
        Room = IL.DeclareLocal(typeof(int));
        Size = IL.DeclareLocal(typeof(int));
        NextType = IL.DeclareLocal(typeof(int));
        NotFlat = IL.DefineLabel();
    }

    /// <summary>The number of bytes that have not been taken.</summary>
    public LocalBuilder Room { get; }

    /// <summary>The destination of jumps where something is not flat.</summary>
    public Label NotFlat { get; }

    protected MethodCompiler<TDelegate> Compiler { get; }

    protected ILGenerator IL => Compiler.IL;

    /// <summary>In elements: the argument that has the byte that stands for the type of their objects; null in whole messages.</summary>
    protected byte? TagArgument { get; }

    /// <summary>The number of bytes of a part.</summary>
    protected LocalBuilder Size { get; }

    /// <summary>The next identifier of a standalone message.</summary>
    protected LocalBuilder NextType { get; }

    /// <summary>The byte that stands for a type, 0 where it has none yet.</summary>
    protected LocalBuilder TagOf(TypeEntry entry) =>
        _tags.TryGetValue(entry, out LocalBuilder? known) ? known : _tags[entry] = IL.DeclareLocal(typeof(int));
}
