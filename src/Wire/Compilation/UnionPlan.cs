using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;

namespace Wire.Compilation;

/// <summary>One case of a union, and its fields in the order in which they are written and the constructor takes them.</summary>
internal sealed record UnionCase(string Name, int Number, MethodInfo Constructor, WireMember[] Fields, bool IsNull);

/// <summary>
/// One case of the writer's schema: the case of that name and how its fields are read; no case when the reader's type has none of that
/// name, which is an error only when such a value arrives.
/// </summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed record CaseStep(string Name, UnionCase? Case, ReadStep[] Steps)
{
    /// <summary>Steps for a schema that is the type's own.</summary>
    public static CaseStep[] For(UnionPlan plan) => [.. plan.Cases.Select(c => new CaseStep(c.Name, c, ReadStep.For(c.Fields)))];

    /// <summary>The step for a case that a writer wrote.</summary>
    private static CaseStep Adapted(ShapeMember written, UnionPlan plan, AdaptContext union)
    {
        UnionCase? known = Array.Find(plan.Cases, c => c.Name == written.Name);
        if (known is null)
        {
            union.Differences?.AddUnknown(written.Name);
            return new CaseStep(written.Name, null, []);
        }

        var fields = new AdaptContext(union.Registry, union, null);
        string owner = $"{plan.Type}.{known.Name}";
        union.Differences?.Enter(known.Name);
        try
        {
            ReadStep[] steps = ReadStep.Adapted(written.Shape.Members, known.Fields, owner, fields);
            AbsentMembers.Check(steps, known.Fields, owner, written.Shape, union);
            return new CaseStep(written.Name, known, steps);
        }
        finally
        {
            union.Differences?.Exit();
        }
    }

    /// <summary>Makes the steps for the cases that a writer has.</summary>
    public static CaseStep[] Adapted(Shape writer, UnionPlan plan, AdaptContext union)
    {
        CaseStep[] steps = [.. writer.Members.Select(written => Adapted(written, plan, union))];
        if (union.Differences is { } differences)
        {
            foreach (UnionCase own in plan.Cases.Where(own => !Array.Exists(steps, step => ReferenceEquals(step.Case, own))))
            {
                differences.AddMissing(own.Name);
            }
        }

        return steps;
    }
}

/// <summary>The plan of a union, which is compiled: the cases in the order of their numbers.</summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed record UnionPlan(Type Type, MethodInfo TagReader, UnionCase[] Cases, string? Row)
{
    private UnionLayout? _layout;

    /// <summary>The places of the parts of its values.</summary>
    public UnionLayout Layout => _layout ??= new UnionLayout(this);

    public static UnionPlan Create(UnionDefinition definition, TypeRegistry registry)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        if (definition.Cases.FirstOrDefault(c => !names.Add(c.Name)) is { } twice)
        {
            throw new UnsupportedTypeException(
                definition.Type,
                $"two of its cases have the name '{twice.Name}' on the wire. Give each a name of its own, by [WireName].");
        }

        return new UnionPlan(
            definition.Type,
            definition.TagReader,
            [.. definition.Cases.Select((c, number) => Case(definition.Type, c, number, registry))],
            definition.Row);
    }

    private static UnionCase Case(Type type, CaseDefinition definition, int number, TypeRegistry registry) => new(
        definition.Name,
        number,
        definition.Constructor,
        [.. definition.Fields.Select(field => new WireMember(
            field.Field,
            field.Name,
            TypePlan.Slot(type, $"{definition.Name}.{field.Name}", field.Field.FieldType, registry),
            registry.Members.Add(type.NameAsOwner(), $"{definition.Name}.{field.Name}")) { Face = field.Property })],
        definition.IsNull);
}
