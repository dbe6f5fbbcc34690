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
using Wire.Sessions.Objects;
using Wire.Types;

namespace Wire.Migration.Reading;

/// <summary>
/// Makes the objects of one payload. An object exists before its members are read, so that they can refer to it; what compares objects, and
/// the program's methods that follow reading, wait until the cycle that the objects are in is complete. The depth, the path, the stack, the
/// costs and the table of objects are those of a session of the serializer.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal sealed class GraphReader
{
    private readonly TypeReaders _readers;
    private readonly OldNames _names;
    private readonly Type _root;
    // The numbers of objects in the session, by record: those that the payload gives to values inside others are not unique.
    private readonly Dictionary<SerializationRecord, int> _numbers = new(ReferenceEqualityComparer.Instance);
    private int _member = GraphPath.Root;

    public GraphReader(Serializer serializer, TypeReaders readers, Type root)
    {
        _readers = readers;
        _root = root;
        Registry = serializer.Registry;
        _names = new OldNames(Registry, root);
        Session = new DeserializerSession(serializer, ownThread: false);
        Session.Objects.BeginTracking();
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
            object? value = ReadRaw(root, _root);
            _member = GraphPath.Root;
            Session.EndForeignGraph();
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

    /// <summary>Reads the collection that one record is as the object inside of another one.</summary>
    /// <param name="record">The record, whose own object has begun.</param>
    /// <param name="declared">The type of the variable inside.</param>
    public object? ReadInside(SerializationRecord record, Type declared)
    {
        int number = Session.Objects.BeginObject();
        object value = Make(record, declared);
        Session.Objects.EndObject(number, value);
        return Fitting.ToVariable(value, declared);
    }

    /// <summary>Registers the object whose members are read next, so that they can refer to it.</summary>
    public void Track(object target) => Session.Objects.Track(target);

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

    /// <summary>Gets the number of collections that wait for the objects that they compare.</summary>
    public int Unfilled { get; private set; }

    /// <summary>Defers the filling of a collection until the objects that it compares are complete.</summary>
    /// <param name="lowest">The outermost of the unfinished objects that it refers to.</param>
    /// <param name="fill">Fills it.</param>
    public void FillLater(int lowest, Action fill)
    {
        Unfilled++;
        Session.Objects.Waiting.Add(lowest, () =>
        {
            fill();
            Unfilled--;
        });
    }

    /// <summary>
    /// Refuses an object that is made of collections which are still empty: its constructor may copy them, and what they have would be
    /// lost.
    /// </summary>
    /// <param name="type">The type of the object.</param>
    /// <param name="unfilled">The number of collections that waited before its values were read.</param>
    /// <exception cref="WireFormatException">There are such collections.</exception>
    public void CheckFilled(Type type, int unfilled)
    {
        if (Unfilled > unfilled)
        {
            throw NeverComplete(type);
        }
    }

    /// <summary>Makes the error for an object that is made of values which are complete only when it is.</summary>
    public static WireFormatException NeverComplete(Type type) => new(
        WireFormatError.Reference,
        $"{type} is made of a collection whose keys refer back to it, so that neither can be complete before the other. Read the "
        + "payload where BinaryFormatter still runs, and write the object with Wire there.");

    /// <summary>
    /// Calls the methods of an object that follow its reading, as soon as the cycle that it is in is complete; a value's at once, before it
    /// is copied.
    /// </summary>
    public void CallBack(SerializationCallbacks callbacks, object target)
    {
        int lowest = Session.Objects.LowestOfScope;
        if (lowest == ReadObjects.Whole || target.GetType().IsValueType)
        {
            SerializationCallbacks.Call(callbacks.Deserialized, target);
        }
        else if (callbacks.Deserialized.Length > 0)
        {
            Session.Objects.Waiting.Add(lowest, () => SerializationCallbacks.Call(callbacks.Deserialized, target));
        }

        if (target is not IDeserializationCallback afterGraph)
        {
            return;
        }

        if (target.GetType().IsValueType)
        {
            afterGraph.OnDeserialization(null);
        }
        else if (callbacks.IsAfterGraph)
        {
            Session.CallAfterGraph(afterGraph);
        }
    }

    private string Path => Session.Path.Describe(_member, Registry);

    private object? Read(object? raw, Type declared) => Fitting.ToVariable(ReadRaw(raw, declared), declared);

    private object? ReadRaw(object? raw, Type declared)
    {
        object? value = raw switch
        {
            PrimitiveTypeRecord primitive => primitive.Value,
            ClassRecord or ArrayRecord => ReadObject((SerializationRecord)raw, declared),
            SerializationRecord record => throw new WireFormatException(
                WireFormatError.InvalidValue, $"A record of type {record.RecordType} is no value."),
            _ => raw,
        };
        if (value is string text)
        {
            Count(text);
        }

        return value;
    }

    private void Count(string text)
    {
        if (text.Length > Options.Limits.MaxStringLength)
        {
            ThrowHelper.Limit(nameof(Limits.MaxStringLength), Options.Limits.MaxStringLength, "The length of a string");
        }

        Session.Costs.Charge(text.Length * sizeof(char));
    }

    private object ReadObject(SerializationRecord record, Type declared)
    {
        ReadObjects objects = Session.Objects;
        if (_numbers.TryGetValue(record, out int known))
        {
            return objects.FindRead(known) is null
                ? throw new WireFormatException(
                    WireFormatError.Reference,
                    $"The payload refers to an object of type '{record.TypeName.FullName}' from inside that object, which exists only when "
                    + "its parts do.")
                : Again(objects.Find((uint)known)!);
        }

        // A level of the graph, as in payloads of Wire: values in other objects are none there, and are one here.
        bool hasStack = Session.Path.Enter(_member) && RuntimeHelpers.TryEnsureSufficientExecutionStack();
        int before = _member;
        _member = GraphPath.Root;
        int number = objects.BeginObject();
        _numbers.Add(record, number);
        object? value = null;
        if (hasStack)
        {
            value = Make(record, declared);
        }
        else
        {
            Session.Path.RunOnFreshStack(() => value = Make(record, declared));
        }

        objects.EndObject(number, value!);
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

    private object Make(SerializationRecord record, Type declared) => Conversions.TryRead(this, record, declared)
        ?? (record is ArrayRecord array ? Arrays.Read(this, array)
            : FrameworkRecords.TryRead(this, (ClassRecord)record, out object? value) ? value
            : ReadClass((ClassRecord)record, declared));

    private object ReadClass(ClassRecord record, Type declared)
    {
        // Pairs, tuples and other values are known by their members, which may be of other types now.
        Type type = Resolve(record);
        Type variable = Nullable.GetUnderlyingType(declared) ?? declared;
        return _readers.For(type.IsValueType && type.IsGenericType && variable.IsOf(type.GetGenericTypeDefinition()) ? variable : type)
            .Read(this, record);
    }
}
