using System.Reflection;

namespace Wire.Testing.Generated;

/// <summary>
/// What a serializer knows of types with generated code. It is internal, and read by reflection in this one place: tests that ask whether
/// such code runs have to ask the plans themselves, since it changes no bytes.
/// </summary>
public static class CodedTypes
{
    private const BindingFlags Internal = BindingFlags.Instance | BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public;

    private static readonly PropertyInfo Code = typeof(WireTypeRow).GetProperty("Code", Internal)!;
    private static readonly Type Finder = typeof(Serializer).Assembly.GetType("Wire.Compilation.MemberFinder", throwOnError: true)!;
    private static readonly Type Plan = typeof(Serializer).Assembly.GetType("Wire.Compilation.TypePlan", throwOnError: true)!;

    /// <summary>The types of a table that have generated code, in the order of their names.</summary>
    /// <param name="table">The table.</param>
    public static Type[] Of(WireTypes table) =>
        [.. table.Where(HasCode).Select(row => row.Type).OrderBy(type => type.ToString(), StringComparer.Ordinal)];

    /// <summary>Returns whether a row has generated code.</summary>
    /// <param name="row">The row.</param>
    public static bool HasCode(WireTypeRow row) => Code.GetValue(row) is not null;

    /// <summary>Returns whether the code of a type fits its plan; null where the serializer refuses the type.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="type">The type.</param>
    public static bool? Fits(Serializer serializer, Type type)
    {
        try
        {
            object made = Plan.GetMethod("Create", Internal)!.Invoke(null, [type, RegistryOf(serializer)])!;
            return Plan.GetField("Generated", Internal)!.GetValue(made) is not null;
        }
        catch (TargetInvocationException e) when (e.InnerException is UnsupportedTypeException)
        {
            return null;
        }
    }

    /// <summary>
    /// Lists the members that the code for a type tells, and those that reflection finds: field, type and name of each. The first are null
    /// where there are others, which reflection finds then; the second, where it refuses the type.
    /// </summary>
    /// <param name="table">The table.</param>
    /// <param name="type">The type.</param>
    public static (string[]? Told, string[]? Found) MembersOf(WireTypes table, Type type)
    {
        object code = Code.GetValue(table.Single(row => row.Type == type))!;
        object?[] arguments = [type, code, new SerializerOptions()];
        string[]? told = Finder.GetMethod("Told", Internal)!.Invoke(null, arguments) is { } members ? Names(members) : null;
        try
        {
            return (told, Names(Finder.GetMethod("Fields", Internal)!.Invoke(null, [type, new SerializerOptions(), null])!));
        }
        catch (TargetInvocationException e) when (e.InnerException is UnsupportedTypeException)
        {
            return (told, null);
        }

        static string[] Names(object members) => [.. ((IEnumerable<object>)members).Select(member => string.Join(
            ", ", member.GetType().GetFields().OrderBy(field => field.Name).Select(field => $"{field.Name} {field.GetValue(member)}")))];
    }

    /// <summary>Returns how a small message of a class is written at once; null where none is.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="type">The class.</param>
    public static FlatFace? FlatOf(Serializer serializer, Type type)
    {
        object registry = RegistryOf(serializer);
        try
        {
            object entry = registry.GetType().GetMethod("Entry", Internal, [typeof(Type)])!.Invoke(registry, [type])!;
            object own = entry.GetType().GetProperty("Serializer", Internal)!.GetValue(entry)!;
            return typeof(ValueSerializer).GetProperty("Flat", Internal)!.GetValue(own) is { } flat ? new FlatFace(flat) : null;
        }
        catch (TargetInvocationException e) when (e.InnerException is UnsupportedTypeException)
        {
            return null;
        }
    }

    private static object RegistryOf(Serializer serializer) => typeof(Serializer).GetProperty("Registry", Internal)!.GetValue(serializer)!;

    /// <summary>What is seen of the code for flat messages of a class.</summary>
    /// <param name="flat">The code.</param>
    public sealed class FlatFace(object flat)
    {
        /// <summary>Gets whether its members are written by generated code.</summary>
        public bool IsGenerated => ValueOf(ValueOf(flat, "type"), "Members") is MemberCode;

        /// <summary>Gets whether it leads to no other objects.</summary>
        public bool IsLeaf => (bool)flat.GetType().GetProperty("IsLeaf")!.GetValue(flat)!;

        private static object ValueOf(object target, string name) => target.GetType().GetFields(Internal)
            .Single(field => field.Name == name || field.Name == $"<{name}>P").GetValue(target)!;
    }
}
