using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire.Compilation.Flat.Parts;

/// <summary>The code for the objects of a class, of exactly this type and none of them null.</summary>
/// <param name="plan">The plan of the class.</param>
/// <param name="members">The code for its members.</param>
[method: RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class FlatClass(TypePlan plan, FlatRoot members)
{
    /// <summary>The plan of the class.</summary>
    public readonly TypePlan Plan = plan;

    /// <summary>Makes an object without its members.</summary>
    public readonly Func<object> Create = ObjectFactory.For(plan);

    /// <summary>The code for its members; the variable has the object.</summary>
    public readonly FlatRoot Members = members;

    /// <summary>The class.</summary>
    public readonly nint Identity = TypeIdentity.Get(plan.Type);

    /// <summary>Reads an object into a variable.</summary>
    /// <inheritdoc cref="FlatPart.Read"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Read(ref FlatInput input, ref byte start, int room, ref byte variable)
    {
        object made = Create();
        int size = Members.Read(ref input, ref start, room, ref Unsafe.As<object, byte>(ref made));
        if (size >= 0)
        {
            Unsafe.As<byte, object>(ref variable) = made;
        }

        return size;
    }
}
