using System.Reflection;
using System.Reflection.Emit;

namespace Wire;

/// <summary>Writes the value that a variable holds; compiled for one complex type.</summary>
/// <param name="writer">The writer.</param>
/// <param name="location">The variable, of exactly the type that the code was compiled for.</param>
/// <remarks>It takes the variable by reference, so that one delegate type serves classes and value types without boxing.</remarks>
public delegate void ObjectWriter(ref WireWriter writer, ref byte location);

/// <summary>Reads a value into a variable; compiled for one complex type and one writer's schema of it.</summary>
/// <param name="reader">The reader.</param>
/// <param name="location">The variable, of exactly the type that the code was compiled for.</param>
public delegate void ObjectReader(ref WireReader reader, ref byte location);

/// <summary>The compiler through which a value serializer emits its code. Valid only during the call that receives it.</summary>
/// <typeparam name="TDelegate"><see cref="ObjectWriter"/> or <see cref="ObjectReader"/>.</typeparam>
public interface ICompiler<TDelegate>
    where TDelegate : Delegate
{
    /// <summary>The code generator of the method, for locals and everything else that this interface does not cover.</summary>
    ILGenerator IL { get; }

    /// <summary>Emits a call; the arguments are on the evaluation stack. The method may be private.</summary>
    void EmitCall(MethodInfo method);

    /// <summary>Pushes an object that lives as long as the compiled code.</summary>
    void EmitConstant(object value);
}
