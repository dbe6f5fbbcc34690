using System.Reflection;
using System.Text;
using Wire.Resolution;

namespace Wire.OptIn;

/// <summary>
/// The text that distinguishes overloads: types by name without assembly, generic parameters by position, as the member's definition
/// declares them. It is only compared, never resolved.
/// </summary>
internal static class MemberSignature
{
    /// <summary>Gets the text of a member; null for one that its name alone identifies.</summary>
    public static string? Format(MemberInfo member) => Definition(member) switch
    {
        MethodInfo method => $"{Format(method.ReturnType)}({Format(method.GetParameters())})",
        ConstructorInfo constructor => $"({Format(constructor.GetParameters())})",
        PropertyInfo property => $"({Format(property.GetIndexParameters())})",
        _ => null,
    };

    /// <summary>Returns whether a parameter or the result is a pointer.</summary>
    public static bool HasPointer(MemberInfo member) => member switch
    {
        MethodInfo method => IsPointer(method.ReturnType) || method.GetParameters().Any(p => IsPointer(p.ParameterType)),
        ConstructorInfo constructor => constructor.GetParameters().Any(p => IsPointer(p.ParameterType)),
        PropertyInfo property => IsPointer(property.PropertyType) || property.GetIndexParameters().Any(p => IsPointer(p.ParameterType)),
        FieldInfo field => IsPointer(field.FieldType),
        _ => false,
    };

    // From the open type and the open method: two overloads may look alike once their type arguments are known.
    private static MemberInfo Definition(MemberInfo member) => member.DeclaringType is { IsConstructedGenericType: true } type
        ? type.GetGenericTypeDefinition().GetMemberWithSameMetadataDefinitionAs(member)
        : member is MethodInfo { IsGenericMethod: true } method ? method.GetGenericMethodDefinition() : member;

    private static bool IsPointer(Type type) =>
        type.IsPointer || type.IsFunctionPointer || (type.HasElementType && IsPointer(type.GetElementType()!));

    private static string Format(ParameterInfo[] parameters) => string.Join(",", parameters.Select(p => Format(p.ParameterType)));

    private static string Format(Type type)
    {
        var text = new StringBuilder();
        Append(text, type);
        return text.ToString();
    }

    private static void Append(StringBuilder text, Type type)
    {
        if (type.IsGenericParameter)
        {
            text.Append(type.IsGenericMethodParameter ? "!!" : "!").Append(type.GenericParameterPosition);
        }
        else if (type.HasElementType)
        {
            Append(text, type.GetElementType()!);
            text.Append(
                type.IsByRef ? "&" : type.IsPointer ? "*" : type.IsSZArray ? "[]" : $"[{new string(',', type.GetArrayRank() - 1)}*]");
        }
        else if (type.IsFunctionPointer)
        {
            text.Append("method*");
        }
        else
        {
            string name = TypeNames.GetDefinitionName(type.IsGenericType ? type.GetGenericTypeDefinition() : type, TypeAliases.None);
            text.Append(name.Split(", ")[0]);
            if (type.IsGenericType)
            {
                text.Append('[').AppendJoin(',', type.GetGenericArguments().Select(Format)).Append(']');
            }
        }
    }
}
