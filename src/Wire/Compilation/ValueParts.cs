using System.Diagnostics.CodeAnalysis;
using Wire.Runtime;

namespace Wire.Compilation;

/// <summary>The value types that are compiled into the type that has them as members: those without objects in them.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class ValueParts
{
    // More members than this are compiled into a separate method, so that no method grows too large.
    private const int MaxMembers = 64;

    /// <summary>Returns the members of such a value type; null when it is compiled separately.</summary>
    public static IMemberwise? Of(ValueSerializer serializer) =>
        serializer is IMemberwise { Plan: { IsEmpty: false, Type.IsValueType: true } } part
            && serializer.HoldsNoObjects
            && Count(part) <= MaxMembers
            ? part
            : null;

    /// <summary>Returns the members of a type, and those of the value types that are compiled into it.</summary>
    public static IEnumerable<WireMember> AllMembers(TypePlan plan) => plan.Members.SelectMany(
        member => member.Field is not null && Of(member.Slot) is { } part ? AllMembers(part.Plan) : [member]);

    /// <summary>Returns the steps for reading them.</summary>
    public static IEnumerable<ReadStep> AllSteps(IEnumerable<ReadStep> steps) => steps.SelectMany(
        step => step.Member?.Field is not null && Of(step.Serializer!) is { } part ? AllSteps(part.Steps) : [step]);

    private static int Count(IMemberwise type) =>
        Math.Max(1, type.Steps.Sum(step => step.Serializer is IMemberwise { Plan.Type.IsValueType: true } part ? Count(part) : 1));
}
