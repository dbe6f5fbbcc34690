using System.Reflection;
using System.Text;
using Wire.Resolution;

namespace Wire.OptIn;

/// <summary>
/// The text that tells overloads apart: types by name without assembly, generic parameters by position, as the member's definition declares
/// them. It is only ever compared with that of another member.
/// </summary>
internal static class MemberSignature
{
    /// <summary>The text of a member; null for one that its name alone tells apart.</summary>
    public static string? Format(MemberInfo member) => Definition(member) switch
    {
        MethodInfo method => $"{Format(method.ReturnType)}({Format(method.GetParameters())})",
        ConstructorInfo constructor => $"({Format(constructor.GetParameters())})",
        PropertyInfo property => $"({Format(property.GetIndexParameters())})",
        _ => null,
    };

    /// <summary>Says whether a pointer comes in or goes out.</summary>
    public static bool HasPointer(MemberInfo member) => member switch
    {
        MethodInfo method => IsPointer(method.ReturnType) || method.GetParameters().Any(p => IsPointer(p.ParameterType)),
        ConstructorInfo constructor => constructor.GetParameters().Any(p => IsPointer(p.ParameterType)),
        PropertyInfo property => IsPointer(property.PropertyType) || property.GetIndexParameters().Any(p => IsPointer(p.ParameterType)),
        FieldInfo field => IsPointer(field.FieldType),
        _ => false,
    };

    // As the open type and the open method have it: two overloads may look alike once their type parameters are filled in.
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
