using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using MassTransit;
using MassTransit.Metadata;
using Wire.Runtime;

namespace Wire.MassTransit.Contracts;

/// <summary>
/// Finds the contracts of messages: interfaces with nothing but properties that can be read, for which MassTransit makes a class in
/// memory when a message is sent as an anonymous object.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = TrimmingAdvice.Inside)]
internal static class MessageContract
{
    private static readonly ConcurrentDictionary<Type, Type?> OfClasses = new();

    /// <summary>Finds the contract that a class was made for in memory; null for a class of the program.</summary>
    public static Type? Find(Type type) => type.Assembly.IsDynamic ? OfClasses.GetOrAdd(type, FindOnce) : null;

    /// <summary>Gets the class that MassTransit makes for a contract.</summary>
    public static Type Implement(Type contract) => TypeMetadataCache.GetImplementationType(contract);

    /// <summary>Gets the name under which objects of that class travel: MassTransit's name of the contract.</summary>
    public static string NameOf(Type contract) => MessageUrn.ForTypeString(contract)
        .Replace('[', '(').Replace(']', ')').Replace(',', ';').Replace('+', '/');

    /// <summary>Gets the contracts that a type declares: itself, and those of its members, their elements and arguments.</summary>
    public static IEnumerable<Type> Within(Type type)
    {
        var seen = new HashSet<Type>();
        var pending = new Stack<Type>([type]);
        while (pending.TryPop(out Type? next))
        {
            if (next.IsGenericParameter || !seen.Add(next))
            {
                continue;
            }

            if (IsContract(next))
            {
                yield return next;
            }

            foreach (Type part in Parts(next))
            {
                pending.Push(part);
            }
        }
    }

    private static Type? FindOnce(Type type)
    {
        Type[] all = type.GetInterfaces();
        return all.FirstOrDefault(face => IsContract(face) && Implement(face) == type);
    }

    private static IEnumerable<Type> Parts(Type type)
    {
        if (type.HasElementType)
        {
            return [type.GetElementType()!];
        }

        const BindingFlags instance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        return IsOfFramework(type)
            ? type.GetGenericArguments()
            : type.GetGenericArguments()
                .Concat(type.GetInterfaces())
                .Concat(type.BaseType is { } parent ? [parent] : [])
                .Concat(type.GetProperties(instance).Select(property => property.PropertyType))
                .Concat(type.GetFields(instance).Select(field => field.FieldType));
    }

    private static bool IsContract(Type type) => type.IsInterface
        && type.IsVisible
        && !type.ContainsGenericParameters
        && !IsOfFramework(type)
        && !(type.IsGenericType && type.GetGenericTypeDefinition() == typeof(MessageData<>))
        && HasPropertiesOfDifferentNames(type)
        && MessageTypeCache.IsValidMessageType(type);

    private static bool HasPropertiesOfDifferentNames(Type type)
    {
        Type[] all = [type, .. type.GetInterfaces()];
        PropertyInfo[] properties = [.. all.SelectMany(face => face.GetProperties())];
        return all.All(HasNothingButProperties)
            && properties.All(IsOfValue)
            && properties.DistinctBy(property => property.Name).Count() == properties.Length;
    }

    private static bool HasNothingButProperties(Type type) =>
        type.GetEvents().Length == 0 && type.GetMethods().All(method => method.IsSpecialName && !method.IsStatic);

    private static bool IsOfValue(PropertyInfo property) =>
        property.CanRead && !property.PropertyType.IsByRef && property.GetIndexParameters().Length == 0;

    private static bool IsOfFramework(Type type) =>
        type.Namespace is { } name && (name == "System" || name.StartsWith("System.", StringComparison.Ordinal));
}
