using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Runtime;
using Wire.Types;

namespace Wire.Migration.Reading;

/// <summary>Makes the object of a record.</summary>
internal interface ITypeReader
{
    object Read(GraphReader graph, ClassRecord record);
}

/// <summary>The readers of the types that one serializer has met in records. Thread-safe.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal sealed class TypeReaders(TypeRegistry registry)
{
    private readonly ConditionalWeakTable<Type, ITypeReader> _readers = [];

    /// <summary>Gets the differences that were reported.</summary>
    public ConcurrentDictionary<(Type Type, string Names), bool> Reported { get; } = new();

    /// <summary>Finds the reader of a type that the filter allows.</summary>
    /// <exception cref="UnsupportedTypeException">The serializer cannot write the type.</exception>
    /// <exception cref="WireFormatException">Its form is not known, or an option does not allow what it needs.</exception>
    public ITypeReader For(Type type) => _readers.GetValue(type, Create);

    private ITypeReader Create(Type type)
    {
        SerializerOptions options = registry.Options;
        if (options.Singletons.FirstOrDefault(instance => instance.GetType() == type) is { } only)
        {
            return new SingletonReader(only);
        }

        if (type.IsArray || type.IsPointer || type.ContainsGenericParameters)
        {
            ThrowHelper.InvalidValue(type.ToString(), "the payload has a record for it that is one of a class");
        }

        if (type.IsEnum)
        {
            return new EnumReader(type);
        }

        // Refuses what the serializer could not write.
        _ = registry.Entry(type);
        if (FrameworkAssemblies.Contains(type.Assembly) && !typeof(Exception).IsAssignableFrom(type))
        {
            return Scalars.Find(type) ?? Collections.Find(type, registry) ?? (registry.Entry(type).Serializer is Compilation.IMemberwise
                ? MemberReader.Create(type, registry, this)
                : throw new WireFormatException(
                    WireFormatError.InvalidValue,
                    $"How BinaryFormatter wrote a {type} is not known to Wire.Migration. Read the payload where BinaryFormatter still "
                    + "runs, and write the object with Wire there."));
        }

        return SelfWritten.IsWritten(type) ? new SelfWritten(type, options)
            : typeof(Exception).IsAssignableFrom(type) ? ExceptionReader.Create(type, registry, this)
            : MemberReader.Create(type, registry, this);
    }

    private sealed class SingletonReader(object instance) : ITypeReader
    {
        public object Read(GraphReader graph, ClassRecord record) => instance;
    }

    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private sealed class EnumReader(Type type) : ITypeReader
    {
        public object Read(GraphReader graph, ClassRecord record) =>
            record.HasMember("value__") && record.GetRawValue("value__") is { } number && number.GetType().IsPrimitive
                ? Fitting.ToVariable(number, type)!
                : throw ThrowHelper.NotValid(type.ToString(), "the payload has no number for it");
    }
}
