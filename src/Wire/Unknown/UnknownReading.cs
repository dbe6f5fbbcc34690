using System.Collections.Concurrent;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Slots;
using Wire.Types;

namespace Wire.Unknown;

/// <summary>
/// The unknown members that are kept of the current message, and the objects in them by their numbers. At the end of the message it is
/// known which of these objects the program has too.
/// </summary>
internal sealed class UnknownReading
{
    // The memory of what is kept of an object, counted like other memory, and of each member.
    private const int CostOfObject = 96;
    private const int CostOfMember = 64;

    private readonly DeserializerSession _session;
    private readonly UnknownRecorder _recorder;
    private readonly Stack<(object Target, UnknownMembers Unknown)> _open = new();
    private readonly List<UnknownMembers> _all = [];

    // Objects of one message that have kept the same members have one layout, however many there are.
    private readonly ConcurrentDictionary<(UnknownSchema, string), UnknownLayout> _layouts = new();
    private readonly Dictionary<int, UnknownObject> _numbered = [];
    private bool _hasDropped;

    /// <param name="session">The session.</param>
    public UnknownReading(DeserializerSession session)
    {
        _session = session;
        _recorder = new UnknownRecorder(session, this);
    }

    /// <summary>Reads a member that the class of an object does not know. Compiled code calls it.</summary>
    public static void ReadMember(ref WireReader reader, object target, UnknownStep step) =>
        reader.Session.Kept.Read(ref reader, target, step);

    /// <summary>Gets the object with a number.</summary>
    public UnknownObject Numbered(int number)
    {
        if (!_numbered.TryGetValue(number, out UnknownObject? known))
        {
            _session.Costs.Charge(UnknownObject.Cost);
            _numbered.Add(number, known = new UnknownObject(hasIdentity: true));
        }

        return known;
    }

    /// <summary>Returns whether a kept member refers to an object that was skipped in front of it, so that it is nowhere.</summary>
    public bool RefersToSkipped() =>
        _numbered.Any(kept => kept.Value.Content is null && _session.Objects.FindRead(kept.Key) is null);

    /// <summary>
    /// Ends the message: what the program has made of kept objects replaces them, and the members are dropped that hold an object which is
    /// neither kept nor one of the program's.
    /// </summary>
    /// <remarks>
    /// Of some objects only the place says the type. References to these can be written as long as that place comes first, as it did: so
    /// where anything of the message is missing, the members with such references are dropped too.
    /// </remarks>
    public void Resolve()
    {
        if (_numbered.Count == 0)
        {
            return;
        }

        bool isMissing = _hasDropped;
        foreach ((int number, UnknownObject kept) in _numbered)
        {
            bool keeps = true;
            object? real = _session.Objects.FindRead(number);

            // What a copy is read from was written from objects of the same types.
            bool isSame = _session.IsTrusted
                || (real is not null && IsSame(kept, real, _session.Serializer.Registry, out keeps));
            kept.Resolve(real, isSame);
            isMissing |= !keeps;
        }

        LoseHolders(kept => kept.IsLost);
        if (isMissing || _all.Exists(unknown => unknown.HoldsLost(isMissing: false)))
        {
            LoseHolders(kept => !kept.IsLost && kept.Parts.Any(part => part.IsLost(isMissing: true)));
            _all.ForEach(unknown => unknown.DropLost());
        }
    }

    private void Read(ref WireReader reader, object target, UnknownStep step)
    {
        if (!_open.TryPeek(out (object Target, UnknownMembers Unknown) current) || !ReferenceEquals(current.Target, target))
        {
            _session.Costs.Charge(CostOfObject);
            current = (target, new UnknownMembers(step.Schema, _layouts));
            _open.Push(current);
        }

        _session.Costs.Charge(CostOfMember);
        UnknownContent? content = _recorder.Record(ref reader, step);
        current.Unknown.Set(step.Index, content);
        _hasDropped |= content is null;
        if (step.IsLast)
        {
            _open.Pop();
            _all.Add(current.Unknown);
            reader.Member = GraphPath.Root;
            ((IUnknownMembers)target).UnknownMembers = current.Unknown;
        }
    }

    // What holds an object that cannot be carried over cannot be carried over.
    private void LoseHolders(Func<UnknownObject, bool> isLost)
    {
        var lost = new Queue<UnknownObject>(_numbered.Values.Where(isLost));
        if (lost.Count == 0)
        {
            return;
        }

        Dictionary<UnknownObject, List<UnknownObject>> holders = FindHolders();
        foreach (UnknownObject first in lost)
        {
            first.IsLost = true;
        }

        while (lost.TryDequeue(out UnknownObject? next))
        {
            foreach (UnknownObject holder in holders.GetValueOrDefault(next) ?? [])
            {
                if (!holder.IsLost)
                {
                    holder.IsLost = true;
                    lost.Enqueue(holder);
                }
            }
        }
    }

    private Dictionary<UnknownObject, List<UnknownObject>> FindHolders()
    {
        var holders = new Dictionary<UnknownObject, List<UnknownObject>>();
        foreach (UnknownObject kept in _numbered.Values)
        {
            foreach (UnknownPart part in kept.Parts)
            {
                if (!holders.TryGetValue(part.Object, out List<UnknownObject>? around))
                {
                    holders.Add(part.Object, around = []);
                }

                around.Add(kept);
            }
        }

        return holders;
    }

    // A collection, array or boxed value may have been converted to the type of its variable, unless the bytes name the type that it has.
    // An object of a class has not. But a kept node of a linked list says its index, which the program may change.
    private static bool IsSame(UnknownObject kept, object value, TypeRegistry registry, out bool keeps)
    {
        keeps = true;
        Type type = value.GetType();
        if (type.IsValueType || IStandIn.Is(type) || type.DerivesFromDefinition(typeof(LinkedList<>))
            || registry.Entry(type) is not { IsSurrogate: false, IsStandIn: false } entry || entry.Type != type)
        {
            return false;
        }

        var serializer = entry.Serializer as IKeepingSerializer;
        keeps = serializer is null or { Keeps: true };
        return serializer is not null || IsNamed(kept, entry);
    }

    // It stood in an unknown member, where the bytes say that it is of a type.
    private static bool IsNamed(UnknownObject kept, TypeEntry entry) => kept.Content is { } content && (kept.Manifest is { } manifest
        ? manifest.Definition.SequenceEqual(entry.NamedManifest)
        : entry.Prefix is { } prefix && content.Bytes.AsSpan().StartsWith(prefix));
}
