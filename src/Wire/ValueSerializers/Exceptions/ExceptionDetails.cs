using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Runtime;
using Wire.SerializerFactories;
using Wire.Types;

namespace Wire.ValueSerializers.Exceptions;

/// <summary>
/// The fields that exceptions of .NET declare. What can be written is: by itself, or by the options. What is bound to its process, such as
/// a response, is left out, for the rest says what has happened; and so is of a value what no other process could have of it.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal static class ExceptionDetails
{
    // Declared as objects: a part of a document, and what asked for a license, which no property shows.
    private static readonly string[] Bound =
    [
        "System.Xml.Schema.XmlSchemaValidationException._sourceNodeObject", "System.ComponentModel.LicenseException._instance",
    ];

    /// <summary>Returns whether a field is written.</summary>
    /// <param name="field">The field.</param>
    /// <param name="registry">What writes the exception; null where only the types that need no option count.</param>
    public static bool IsKept(FieldInfo field, TypeRegistry? registry) =>
        field.FieldType != typeof(ReadOnlyCollection<Exception>) // A view that is made when it is asked for.
        && !Bound.Contains($"{field.DeclaringType}.{field.Name}")
        && CanHold(field.FieldType, registry);

    /// <summary>Makes the value serializer of a field.</summary>
    public static ValueSerializer CreateSlot(Type type, TypeRegistry registry) =>
        type == typeof(Type) ? new ExceptionDetailSlot<Type?>(registry.CreateSlot(type), value => Written(value, registry))
        : type == typeof(Type[]) ? new ExceptionDetailSlot<Type?[]?>(registry.CreateSlot(type), value => Written(value, registry))
        : type == typeof(CancellationToken) && registry.CreateSlot(type) is CancellationTokenSerializer token
            ? new ExceptionDetailSlot<CancellationToken>(token, Settled)
        : registry.CreateSlot(type);

    private static bool CanHold(Type type, TypeRegistry? registry) =>
        type.IsArray
            ? CanHold(type.GetElementType()!, registry)
            : BuiltInTypes.Find(type) is not null
                || BuiltInFactory.IsUnsupported(type, abstractToo: false) is null
                || (registry is not null && IsByOptions(type, registry));

    private static bool IsByOptions(Type type, TypeRegistry registry) =>
        SerializerSource.Library.CreateCustom(type, registry) is not null
        || SerializerSource.Library.WrittenAs(type, registry.Options) != type;

    // The source of a token that may still be cancelled stays in its process.
    private static CancellationToken Settled(CancellationToken token) => token.IsCancellationRequested ? token : CancellationToken.None;

    private static Type? Written(Type? type, TypeRegistry registry) =>
        type is not null && TypeSerializer.CanWrite(type, registry) ? type : null;

    private static Type?[]? Written(Type?[]? types, TypeRegistry registry) =>
        types is null || Array.TrueForAll(types, type => ReferenceEquals(Written(type, registry), type))
            ? types
            : Array.ConvertAll(types, type => Written(type, registry));
}
