using System.Globalization;
using System.Reflection;
using System.Text;

namespace Wire.Gates.Tests;

/// <summary>The public surface of an assembly as a text, to compare with the one that was approved.</summary>
public static class PublicApi
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly NullabilityInfoContext Nullability = new();

    /// <summary>What an assembly shows, type by type and member by member.</summary>
    public static string Of(Assembly assembly)
    {
        var text = new StringBuilder();
        foreach (Type type in assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            text.Append(text.Length == 0 ? "" : "\n").Append(Header(type)).Append('\n');
            foreach (string member in type.GetMembers(Declared).Select(Describe).OfType<string>().Order(StringComparer.Ordinal))
            {
                text.Append("    ").Append(member).Append('\n');
            }
        }

        return text.ToString();
    }

    private static string Header(Type type)
    {
        string kind = type.IsEnum ? $"enum : {Name(type.GetEnumUnderlyingType())}"
            : type.IsSubclassOf(typeof(Delegate)) ? "delegate"
            : type.IsInterface ? "interface"
            : type.IsValueType ? (type.IsByRefLike ? "ref struct" : "struct")
            : (type.IsAbstract && type.IsSealed ? "static " : type.IsAbstract ? "abstract " : type.IsSealed ? "sealed " : "") + "class";
        string[] parents = type.IsEnum || type.IsSubclassOf(typeof(Delegate)) ? [] :
        [
            .. type.BaseType is { } parent && parent != typeof(object) && parent != typeof(ValueType) ? new[] { Name(parent) } : [],
            .. type.GetInterfaces().Where(face => face.IsVisible).Select(Name).Order(StringComparer.Ordinal),
        ];
        return $"{kind} {type.Namespace}.{Name(
            type)}{(parents.Length == 0 ? "" : " : ")}{string.Join(", ", parents)}{Constraints(type.GetGenericArguments())}";
    }

    // Null for what nobody outside the assembly sees, and for what belongs to another member.
    private static string? Describe(MemberInfo member)
    {
        if (member.Name is "BeginInvoke" or "EndInvoke" || member.Name.StartsWith('<'))
        {
            // Made by the compiler, for every delegate and record.
            return null;
        }

        switch (member)
        {
            case FieldInfo { IsLiteral: true, IsPublic: true } field:
                return $"const {Name(
                    field.FieldType)} {field.Name} = {Convert.ToString(field.GetRawConstantValue(), CultureInfo.InvariantCulture)}";
            case FieldInfo field when Access(
                field.Attributes.HasFlag(FieldAttributes.Public),
                field.IsFamily || field.IsFamilyOrAssembly) is { } access && !field.IsSpecialName:
                return $"{access}{(field.IsStatic ? "static " : "")}{(field.IsInitOnly ? "readonly " : "")}{Name(
                    field.FieldType)} {field.Name}";
            case ConstructorInfo constructor when Visible(constructor) is { } access:
                return $"{access}new({Parameters(constructor)})";
            case PropertyInfo property when property.GetAccessors(nonPublic: true).Any(accessor => Visible(accessor) is not null):
                string accessors = string.Concat(property.GetAccessors(nonPublic: true).Select(
                    accessor => Visible(accessor) is { } access ? $" {access}{Accessor(accessor)};" : ""));
                return $"{Modifiers(property.GetAccessors(nonPublic: true)[0])}{Name(property.PropertyType)}{Mark(
                    Nullability.Create(property).ReadState, property.PropertyType)} {property.Name} {{{accessors} }}";
            case EventInfo { AddMethod: { } add } found when Visible(add) is { } access:
                return $"{access}{Modifiers(add)}event {Name(
                    found.EventHandlerType!)}{Mark(Nullability.Create(found).ReadState, found.EventHandlerType!)} {found.Name}";
            case MethodInfo method when Visible(method) is { } access
                && (!method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal)):
                return $"{access}{Modifiers(
                    method)}{Name(
                        method.ReturnType)}{Mark(
                            Nullability.Create(method.ReturnParameter).ReadState, method.ReturnType)} {method.Name}{Arguments(
                                method)}({Parameters(method)}){Constraints(method.IsGenericMethod ? method.GetGenericArguments() : [])}";
            default:
                return null;
        }
    }

    private static string? Visible(MethodBase method) => Access(method.IsPublic, method.IsFamily || method.IsFamilyOrAssembly);

    private static string? Access(bool isPublic, bool isProtected) => isPublic ? "" : isProtected ? "protected " : null;

    private static string Accessor(MethodInfo accessor) => accessor.ReturnType != typeof(void) ? "get"
        : accessor.ReturnParameter.GetRequiredCustomModifiers().Length > 0 ? "init" : "set";

    private static string Modifiers(MethodInfo method) => method.IsStatic ? "static "
        : method.DeclaringType!.IsInterface ? ""
        : method.IsAbstract ? "abstract "
        : method.GetBaseDefinition() != method ? "override "
        : method.IsVirtual && !method.IsFinal ? "virtual " : "";

    private static string Arguments(MethodInfo method) =>
        method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(argument => argument.Name))}>" : "";

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(parameter =>
        (parameter.IsOut ? "out " : parameter.IsIn ? "in " : parameter.ParameterType.IsByRef ? "ref " : "")
        + Name(parameter.ParameterType) + Mark(Nullability.Create(parameter).WriteState, parameter.ParameterType) + " " + parameter.Name
        + (parameter.HasDefaultValue ? $" = {parameter.DefaultValue ?? "default"}" : "")));

    private static string Mark(NullabilityState state, Type type) =>
        state == NullabilityState.Nullable && !type.IsValueType && !type.IsGenericParameter ? "?" : "";

    private static string Constraints(IEnumerable<Type> arguments) =>
        string.Concat(arguments.Where(argument => argument.IsGenericParameter).Select(argument =>
    {
        string[] constraints =
        [
            .. argument.GenericParameterAttributes == GenericParameterAttributes.None
                ? []
                : new[] { argument.GenericParameterAttributes.ToString() },
            .. argument.GetGenericParameterConstraints().Select(Name),
        ];
        return constraints.Length == 0 ? "" : $" where {argument.Name} : {string.Join(", ", constraints)}";
    }));

    private static string Name(Type type)
    {
        if (type.IsByRef)
        {
            return Name(type.GetElementType()!);
        }

        if (type.IsArray)
        {
            return $"{Name(type.GetElementType()!)}[{new string(',', type.GetArrayRank() - 1)}]";
        }

        string name = type.Name.Split('`')[0];
        if (type.DeclaringType is { } outer && !type.IsGenericParameter)
        {
            name = $"{Name(outer)}.{name}";
        }

        return type.IsGenericType ? $"{name}<{string.Join(", ", type.GetGenericArguments().Select(Name))}>" : name;
    }
}
