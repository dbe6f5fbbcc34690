using System.Collections;
using System.Diagnostics.CodeAnalysis;
using Wire.Runtime;

namespace Wire.Copying;

/// <summary>The comparers that a collection and its copy share: those that the format has a code for, and the default ones.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = TrimmingAdvice.Inside)]
internal static class SharedComparers
{
    private static readonly TypeMap<object> Known = new();

    public static bool Contains(object comparer) => (bool)Known.GetOrAdd(comparer.GetType(), static (type, _) => IsShared(type), 0);

    private static object IsShared(Type type) =>
        (type.Assembly == typeof(object).Assembly && (type.IsAssignableTo(typeof(StringComparer)) || IsDefault(type)))
        || type == typeof(ReferenceEqualityComparer)
        || type == StructuralComparisons.StructuralEqualityComparer.GetType()
        || type == StructuralComparisons.StructuralComparer.GetType()
        || type == typeof(Comparer)
        || type == typeof(CaseInsensitiveComparer);

    [DynamicDependency(nameof(Comparer.Default), typeof(EqualityComparer<>))]
    [DynamicDependency(nameof(Comparer.Default), typeof(Comparer<>))]
    private static bool IsDefault(Type type) => type.BaseType is { IsGenericType: true } parent
        && (parent.GetGenericTypeDefinition() == typeof(EqualityComparer<>) || parent.GetGenericTypeDefinition() == typeof(Comparer<>))
        && parent.GetProperty(nameof(Comparer.Default))!.GetValue(null)!.GetType() == type;
}
