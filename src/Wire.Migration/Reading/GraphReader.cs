using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using System.Reflection;
using System.Reflection.Metadata;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Wire.Compilation;
using Wire.Errors;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Types;

namespace Wire.Migration.Reading;

/// <summary>
/// Makes the objects of one payload. An object exists before its members are read, so that they can refer to it; what compares objects, and
/// the program's callbacks, wait until the graph is there. The depth, the path, the stack and the costs are those of a session of the
/// serializer.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal sealed class GraphReader
{
    // An object that cannot be referred to before it is made.
    private static readonly object Open = new();

    private readonly TypeReaders _readers;
    private readonly OldNames _names;
    private readonly Type _root;
    // By record: the numbers of values inside others are not unique.
    private readonly Dictionary<SerializationRecord, object> _objects = new(ReferenceEqualityComparer.Instance);
    private readonly List<Action> _fills = [];
    private readonly List<Action> _callbacks = [];
    private readonly List<IDeserializationCallback> _afterGraph = [];
    private int _member = GraphPath.Root;

    public GraphReader(Serializer serializer, TypeReaders readers, Type root)
    {
        _readers = readers;
        _root = root;
        Registry = serializer.Registry;
        _names = new OldNames(Registry, root);
        Session = new DeserializerSession(serializer, ownThread: false);
    }

    public TypeRegistry Registry { get; }

    public SerializerOptions Options => Registry.Options;

    /// <summary>Gets the session that counts the costs, and keeps the path.</summary>
    public DeserializerSession Session { get; }

    /// <summary>Gets the path to an object that has been referred to before; null when there is none.</summary>
    public string? Shared { get; private set; }

    public object? ReadRoot(SerializationRecord root)
    {
        try
        {
            object? value = Read(root, typeof(object));
            _member = GraphPath.Root;
            _fills.ForEach(fill => fill());
            Session.EndForeignGraph();
            _callbacks.ForEach(call => call());
            _afterGraph.ForEach(target => target.OnDeserialization(null));
            return value;
        }
        catch (TypeRefusedException e)
        {
            e.Locate(Path);
            e.Report(Options.TypeRefused, _root);
            throw;
        }
        catch (WireFormatException e)
        {
            e.Locate(Path);
            throw;
        }
        catch (UnsupportedTypeException e)
        {
            e.Locate(Path, Session.Path.LastOwner(_member, Registry), _root);
            throw;
        }
        catch (Exception e) when (ThrowHelper.IsOfBytes(e))
        {
            // The decoder finds some faults only when it is asked for a value.
            var error = new WireFormatException(
                WireFormatError.InvalidValue, $"The bytes are not what BinaryFormatter wrote: {e.Message}", e);
            error.Locate(Path);
            throw error;
        }
        catch (Exception e)
        {
            ErrorLocation.Add(e, () => Path, offset: null);
            throw;
        }
    }

    /// <summary>Finds the type that a record names.</summary>
    public Type Resolve(SerializationRecord record) => _names.Resolve(record.TypeName);

    /// <inheritdoc cref="Resolve(SerializationRecord)"/>
    public Type Resolve(TypeName name) => _names.Resolve(name);

    /// <summary>Reads the value of a member.</summary>
    /// <param name="number">The number of the member in the registry.</param>
    /// <param name="raw">The value as the decoder has it: null, a primitive value, a text or a record.</param>
    /// <param name="declared">The type of the variable.</param>
    public object? ReadMember(int number, object? raw, Type declared)
    {
        int before = _member;
        _member = number;
        object? value = Read(raw, declared);
        _member = before;
        return value;
    }

    /// <summary>Reads the element of an array or a collection.</summary>
    public object? ReadElement(int index, object? raw, Type declared) => ReadMember(~index, raw, declared);

    /// <summary>Registers the object of a record, so that its members can refer to it.</summary>
    public void Track(SerializationRecord record, object target) => _objects[record] = target;

    /// <summary>Counts an object before it is made, and checks that the serializer supports its type.</summary>
    /// <exception cref="UnsupportedTypeException">It does not.</exception>
    public void TakeObject(Type type) => Session.Costs.TakeObject(Registry.Entry(type).Serializer);

    /// <summary>Counts elements before they are made.</summary>
    /// <param name="count">Their number.</param>
    /// <param name="size">The bytes that each takes.</param>
    public void TakeElements(long count, int size)
    {
        if (count > Options.Limits.MaxElements)
        {
            ThrowHelper.Limit(nameof(Limits.MaxElements), Options.Limits.MaxElements, "The number of elements");
        }

        Session.Costs.Charge(count * size);
    }

    /// <summary>Defers the filling of a collection until the objects that it compares are there.</summary>
    public void FillLater(Action fill) => _fills.Add(fill);

    /// <summary>Calls the methods of an object that follow its reading: a value's at once, before it is copied.</summary>
    public void CallBack(SerializationCallbacks callbacks, object target)
    {
        if (target.GetType().IsValueType)
        {
            SerializationCallbacks.Call(callbacks.Deserialized, target);
            (target as IDeserializationCallback)?.OnDeserialization(null);
            return;
        }

        if (callbacks.Deserialized.Length > 0)
        {
            _callbacks.Add(() => SerializationCallbacks.Call(callbacks.Deserialized, target));
        }

        if (callbacks.IsAfterGraph)
        {
            _afterGraph.Add((IDeserializationCallback)target);
        }
    }

    private string Path => Session.Path.Describe(_member, Registry);

    private object? Read(object? raw, Type declared)
    {
        object? value = raw switch
        {
            PrimitiveTypeRecord primitive => primitive.Value,
            ClassRecord or ArrayRecord => ReadObject((SerializationRecord)raw),
            SerializationRecord record => throw new WireFormatException(
                WireFormatError.InvalidValue, $"A record of type {record.RecordType} is no value."),
            _ => raw,
        };
        if (value is string text)
        {
            Count(text);
        }

        return Fitting.ToVariable(value, declared);
    }

    private void Count(string text)
    {
        if (text.Length > Options.Limits.MaxStringLength)
        {
            ThrowHelper.Limit(nameof(Limits.MaxStringLength), Options.Limits.MaxStringLength, "The length of a string");
        }

        Session.Costs.Charge(text.Length * sizeof(char));
    }

    private object ReadObject(SerializationRecord record)
    {
        if (_objects.TryGetValue(record, out object? known))
        {
            return known == Open
                ? throw new WireFormatException(
                    WireFormatError.Reference,
                    $"The payload refers to an object of type '{record.TypeName.FullName}' from inside that object, which exists only when "
                    + "its parts do.")
                : Again(known);
        }

        // A level of the graph, as in payloads of Wire: values in other objects are none there, and are one here.
        bool hasStack = Session.Path.Enter(_member);
        int before = _member;
        _member = GraphPath.Root;
        _objects[record] = Open;
        object? value = null;
        if (hasStack)
        {
            value = Make(record);
        }
        else
        {
            Session.Path.RunOnFreshStack(() => value = Make(record));
        }

        _objects[record] = value!;
        _member = Session.Path.Exit();
        return value!;
    }

    private object Again(object known)
    {
        if (!IsValue(known))
        {
            Shared ??= Path;
        }

        return known;
    }

    // Wire writes these by value, or as the one object that they are.
    private static bool IsValue(object known)
    {
        Type type = known.GetType();
        return type.IsValueType
            || known is DBNull or Missing
            || (known is IComparer or IEqualityComparer && FrameworkAssemblies.Contains(type.Assembly))
            || (type != typeof(object) && !type.IsArray && BuiltInTypes.Find(type) is not null);
    }

    private object Make(SerializationRecord record) => record is ArrayRecord array
        ? Arrays.Read(this, array)
        : FrameworkRecords.TryRead(this, (ClassRecord)record, out object? value)
            ? value
            : ReadClass((ClassRecord)record);

    private object ReadClass(ClassRecord record)
    {
        Type type = Resolve(record);
        RuntimeHelpers.EnsureSufficientExecutionStack();
        return _readers.For(type).Read(this, record);
    }
}
