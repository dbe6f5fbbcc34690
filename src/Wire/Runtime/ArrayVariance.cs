using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Wire.Runtime;

/// <summary>
/// Assignability without what the runtime adds to C#: it takes an array of signed numbers for one of unsigned ones, and of enums for
/// numbers (ECMA-335, I.8.7.1), also where such arrays are elements of arrays or arguments of interfaces and delegates that are variant.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
internal static class ArrayVariance
{
    /// <summary>Returns whether the runtime may assign to a variable of the type what C# would not.</summary>
    public static bool Concerns(Type variable) =>
        variable.IsArray || (variable.IsConstructedGenericType && (variable.IsInterface || IsDelegate(variable)));

    /// <summary>Returns whether all values of a type fit a variable, as C# has it.</summary>
    public static bool Fits(Type variable, Type type) =>
        variable == type || (variable.IsAssignableFrom(type) && IsExact(variable, type));

    /// <summary>Returns whether C# would assign a type to a variable to which the runtime assigns it.</summary>
    public static bool IsExact(Type variable, Type type)
    {
        if (variable == type || !Concerns(variable))
        {
            return true;
        }

        if (type.IsArray)
        {
            // Of generic interfaces an array has those with its elements.
            return FitsElement(variable.IsArray ? variable.GetElementType()! : variable.GetGenericArguments()[0], type.GetElementType()!);
        }

        return IsConstructedExactly(variable, type);
    }

    // Out of line: the delegate's closure would be made for every type.
    private static bool IsConstructedExactly(Type variable, Type type)
    {
        Type definition = variable.GetGenericTypeDefinition();
        Type[] parameters = definition.GetGenericArguments();
        Type[] wanted = variable.GetGenericArguments();
        return variable.IsInterface
            ? IsOne(type) || Array.Exists(type.GetInterfaces(), IsOne)
            : IsOne(type);

        bool IsOne(Type one) => one.IsConstructedGenericType && one.GetGenericTypeDefinition() == definition
            && FitArguments(parameters, wanted, one.GetGenericArguments());
    }

    private static bool FitArguments(Type[] parameters, Type[] wanted, Type[] given)
    {
        for (int i = 0; i < parameters.Length; i++)
        {
            bool fits = (parameters[i].GenericParameterAttributes & GenericParameterAttributes.VarianceMask) switch
            {
                GenericParameterAttributes.Covariant => FitsElement(wanted[i], given[i]),
                GenericParameterAttributes.Contravariant => FitsElement(given[i], wanted[i]),
                _ => wanted[i] == given[i],
            };
            if (!fits)
            {
                return false;
            }
        }

        return true;
    }

    private static bool FitsElement(Type variable, Type type) =>
        variable == type || (!type.IsValueType && variable.IsAssignableFrom(type) && IsExact(variable, type));

    private static bool IsDelegate(Type type) => type.BaseType == typeof(MulticastDelegate);
}
