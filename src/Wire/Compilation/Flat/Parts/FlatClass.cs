using System.Diagnostics.CodeAnalysis;
using Wire.Runtime;

namespace Wire.Compilation.Flat.Parts;

/// <summary>The code for the objects of a class, of exactly this type and none of them null.</summary>
/// <param name="plan">The plan of the class.</param>
/// <param name="members">The code for its members.</param>
[method: RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class FlatClass(TypePlan plan, FlatPart members)
{
    /// <summary>Makes an object without its members.</summary>
    public readonly Func<object> Create = ObjectFactory.For(plan);

    /// <summary>The code for its members; the variable has the object.</summary>
    public readonly FlatPart Members = members;

    /// <summary>The class.</summary>
    public readonly nint Identity = TypeIdentity.Get(plan.Type);
}
