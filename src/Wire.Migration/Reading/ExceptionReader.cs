using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Wire.Compilation;
using Wire.Errors;
using Wire.OptIn;
using Wire.Runtime;
using Wire.Types;
using Wire.ValueSerializers.Exceptions;

// The constructors of exceptions are obsolete with the formatters, and are how exceptions of .NET are made of what they wrote.
#pragma warning disable SYSLIB0050, SYSLIB0051

namespace Wire.Migration.Reading;

/// <summary>
/// Exceptions, which wrote themselves: the part of .NET is made by the constructor that belongs to it, and the members of the program's
/// classes are found by name, unless an option allows their own constructor.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal sealed class ExceptionReader : IPart
{
    private readonly ConstructorInfo _constructor;
    private readonly Type _part;

    // The constructor takes all that was written, also by derived classes.
    private readonly bool _isWhole;
    private readonly Lazy<HashSet<string>> _names;

    private ExceptionReader(ConstructorInfo constructor, bool isWhole)
    {
        _isWhole = isWhole;
        _constructor = constructor;
        _part = constructor.DeclaringType!;
        _names = new Lazy<HashSet<string>>(NamesOfPart, LazyThreadSafetyMode.PublicationOnly);
    }

    public bool IsSelfWritten => true;

    /// <summary>Makes the reader of a type of exceptions.</summary>
    /// <exception cref="WireFormatException">There is no constructor that could make it.</exception>
    public static ITypeReader Create(Type type, TypeRegistry registry, TypeReaders readers)
    {
        if (registry.Options.UseSerializable && SerializableTypes.Constructor(type) is { } own)
        {
            MemberReader.CheckCallbacks(type, registry.Options);
            return new Whole(type, new ExceptionReader(own, isWhole: true));
        }

        Type part = type.WithBases().First(level => FrameworkAssemblies.Contains(level.Assembly));
        var reader = new ExceptionReader(SerializableTypes.Constructor(part) ?? throw new WireFormatException(
            WireFormatError.InvalidValue, $"{part} has no constructor for what BinaryFormatter wrote of it."), isWhole: part == type);
        return part == type ? new Whole(type, reader) : MemberReader.Create(type, registry, readers, reader);
    }

    public bool Has(string name) => _names.Value.Contains(name);

    public void Fill(GraphReader graph, ClassRecord record, object target)
    {
        SelfWritten.Construct(_constructor, target, SelfWritten.InfoOf(graph, record, _part, _isWhole ? null : Has));
        var exception = (Exception)target;
        if (ExceptionTree.IsTooDeep(exception.InnerException))
        {
            ThrowHelper.InvalidValue(target.GetType().Name, $"it has more than {ExceptionTree.MaxInner} nested inner exceptions");
        }

        if (ExceptionText.Failure(exception) is { } failure)
        {
            throw ThrowHelper.Invalid(target.GetType().ToString(), failure);
        }

        if (ExceptionTree.HasSeveral(exception) && ExceptionTree.Refusal(exception) is { } reason)
        {
            ThrowHelper.InvalidValue(target.GetType().Name, reason);
        }
    }

    // What the part itself writes.
    private HashSet<string> NamesOfPart()
    {
        var names = new HashSet<string>(StringComparer.Ordinal) { "SafeSerializationManager", "WatsonBuckets", "ExceptionMethod" };
        Type type = _part.IsAbstract ? typeof(Exception) : _part;
        var info = new SerializationInfo(type, new FormatterConverter());
        ((Exception)RuntimeHelpers.GetUninitializedObject(type)).GetObjectData(info, SerializationCallbacks.Context);
        foreach (SerializationEntry entry in info)
        {
            names.Add(entry.Name);
        }

        return names;
    }

    // An exception exists when its inner ones do, and none is inside itself: until then nothing may refer to it.
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private sealed class Whole(Type type, ExceptionReader part) : ITypeReader
    {
        public object Read(GraphReader graph, ClassRecord record)
        {
            graph.TakeObject(type);
            object target = RuntimeHelpers.GetUninitializedObject(type);
            part.Fill(graph, record, target);
            return target;
        }
    }
}

#pragma warning restore SYSLIB0050, SYSLIB0051
