using System.Globalization;
using System.Reflection;
using System.Text;

namespace Packing;

/// <summary>The names that types and members have in files of XML documentation.</summary>
internal static class MemberIds
{
    /// <summary>Gets the name of a type.</summary>
    public static string From(Type type) => "T:" + Definition(type);

    /// <summary>Gets the name of a member; a constructed type stands for its definition.</summary>
    public static string From(MemberInfo member)
    {
        if (member is Type nested)
        {
            return From(nested);
        }

        // The signature as it was declared: with the type's own parameters, and not with what a construction puts there.
        Type type = member.DeclaringType!;
        if (type.IsConstructedGenericType)
        {
            const BindingFlags all =
                BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
            type = type.GetGenericTypeDefinition();
            member = type.GetMembers(all).First(candidate => candidate.HasSameMetadataDefinitionAs(member));
        }

        string name = $"{Definition(type)}.{member.Name.Replace('.', '#').Replace('<', '{').Replace('>', '}')}";
        return member switch
        {
            MethodInfo method => "M:" + name + Arity(method) + Parameters(method) + Conversion(method),
            ConstructorInfo constructor => "M:" + name + Parameters(constructor),
            PropertyInfo property => "P:" + name + Parameters(property.GetIndexParameters()),
            FieldInfo => "F:" + name,
            EventInfo => "E:" + name,
            _ => throw new InvalidDataException($"{member} of {type} is of a kind that documentation does not know."),
        };
    }

    private static string Definition(Type type) => type.IsConstructedGenericType
        ? Definition(type.GetGenericTypeDefinition())
        : type.FullName!.Replace('+', '.');

    private static string Arity(MethodInfo method) =>
        method.IsGenericMethod ? "``" + method.GetGenericArguments().Length.ToString(CultureInfo.InvariantCulture) : "";

    private static string Conversion(MethodInfo method) =>
        method.Name is "op_Implicit" or "op_Explicit" ? "~" + Reference(method.ReturnType) : "";

    private static string Parameters(MethodBase method) => Parameters(method.GetParameters());

    private static string Parameters(ParameterInfo[] parameters) =>
        parameters.Length == 0 ? "" : $"({string.Join(',', parameters.Select(parameter => Reference(parameter.ParameterType)))})";

    // A type as a part of a signature.
    private static string Reference(Type type)
    {
        if (type.IsGenericParameter)
        {
            return (type.DeclaringMethod is null ? "`" : "``") + type.GenericParameterPosition.ToString(CultureInfo.InvariantCulture);
        }

        if (type.HasElementType)
        {
            string element = Reference(type.GetElementType()!);
            return type.IsByRef ? element + "@" : type.IsPointer ? element + "*"
                : type.IsSZArray ? element + "[]"
                : $"{element}[{string.Join(',', Enumerable.Repeat("0:", type.GetArrayRank()))}]";
        }

        if (!type.IsGenericType)
        {
            return type.FullName!.Replace('+', '.');
        }

        // Each part of a nested type has its own arguments: Outer{A}.Inner{B}.
        var text = new StringBuilder(type.Namespace is { Length: > 0 } space ? space + "." : "");
        Type[] arguments = type.GetGenericArguments();
        int used = 0;
        foreach (Type part in Outward(type).Reverse())
        {
            if (part.DeclaringType is not null)
            {
                text.Append('.');
            }

            int own = part.GetGenericArguments().Length - used;
            text.Append(part.Name.Split('`')[0]);
            if (own > 0)
            {
                text.Append('{').AppendJoin(',', arguments.Skip(used).Take(own).Select(Reference)).Append('}');
                used += own;
            }
        }

        return text.ToString();
    }

    private static IEnumerable<Type> Outward(Type type)
    {
        for (Type? part = type; part is not null; part = part.DeclaringType)
        {
            yield return part;
        }
    }
}
