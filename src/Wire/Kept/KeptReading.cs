using Wire.Contracts;
using Wire.Messages;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Types;

namespace Wire.Kept;

/// <summary>
/// The unknown members that are kept of the current message, and the objects in them by their numbers. At the end of the message it is
/// known which of these objects the program has too.
/// </summary>
internal sealed class KeptReading
{
    // The memory of what is kept of an object, counted like other memory, and of each member.
    private const int CostOfObject = 96;
    private const int CostOfMember = 64;

    private readonly DeserializerSession _session;
    private readonly KeptRecorder _recorder;
    private readonly Stack<(object Target, UnknownMembers Unknown)> _open = new();
    private readonly List<UnknownMembers> _all = [];
    private readonly Dictionary<int, KeptObject> _numbered = [];

    /// <param name="session">The session.</param>
    public KeptReading(DeserializerSession session)
    {
        _session = session;
        _recorder = new KeptRecorder(session, this);
    }

    /// <summary>Reads a member that the class of an object does not know. Compiled code calls it.</summary>
    public static void ReadMember(ref WireReader reader, object target, KeptStep step) =>
        reader.Session.Kept.Read(ref reader, target, step);

    /// <summary>Gets the object with a number.</summary>
    public KeptObject Numbered(int number)
    {
        if (!_numbered.TryGetValue(number, out KeptObject? known))
        {
            _session.Costs.Charge(KeptObject.Cost);
            _numbered.Add(number, known = new KeptObject(hasIdentity: true));
        }

        return known;
    }

    /// <summary>
    /// Ends the message: what the program has made of kept objects replaces them, and the members are dropped that hold an object which is
    /// neither kept nor one of the program's.
    /// </summary>
    public void Resolve()
    {
        if (_numbered.Count == 0)
        {
            return;
        }

        bool hasLost = false;
        foreach ((int number, KeptObject kept) in _numbered)
        {
            object? real = _session.Objects.FindRead(number);
            kept.Resolve(real, real is not null && IsSame(real, _session.Serializer.Registry));
            hasLost |= kept.IsLost;
        }

        if (hasLost)
        {
            LoseAround();
            _all.ForEach(unknown => unknown.DropLost());
        }
    }

    private void Read(ref WireReader reader, object target, KeptStep step)
    {
        if (!_open.TryPeek(out (object Target, UnknownMembers Unknown) current) || !ReferenceEquals(current.Target, target))
        {
            _session.Costs.Charge(CostOfObject);
            current = (target, new UnknownMembers(step.Schema));
            _open.Push(current);
        }

        _session.Costs.Charge(CostOfMember);
        KeptSchema schema = step.Schema;
        if (schema.IsWhole(step.Index))
        {
            current.Unknown.Set(step.Index, _recorder.Record(ref reader, schema.Members[step.Index].Shape, schema.Above));
        }
        else
        {
            Skipper.SkipMember(ref reader, schema.Members[step.Index].Shape, schema.Above);
        }

        if (step.IsLast)
        {
            _open.Pop();
            _all.Add(current.Unknown);
            reader.Member = GraphPath.Root;
            ((IUnknownMembers)target).UnknownMembers = current.Unknown;
        }
    }

    // What holds an object that cannot be carried over cannot be carried over.
    private void LoseAround()
    {
        var around = new Dictionary<KeptObject, List<KeptObject>>();
        foreach (KeptObject kept in _numbered.Values)
        {
            if (kept.Real is null && kept.Content is { } content)
            {
                foreach (KeptPart part in content.Parts)
                {
                    if (!around.TryGetValue(part.Object, out List<KeptObject>? holders))
                    {
                        around.Add(part.Object, holders = []);
                    }

                    holders.Add(kept);
                }
            }
        }

        var lost = new Queue<KeptObject>(_numbered.Values.Where(kept => kept.IsLost));
        while (lost.TryDequeue(out KeptObject? next))
        {
            foreach (KeptObject holder in around.GetValueOrDefault(next) ?? [])
            {
                if (!holder.IsLost)
                {
                    holder.IsLost = true;
                    lost.Enqueue(holder);
                }
            }
        }
    }

    // A collection, array or boxed value may have been converted to the type of its variable. An object of a class has not.
    private static bool IsSame(object value, TypeRegistry registry)
    {
        Type type = value.GetType();
        return !type.IsValueType
            && !IStandIn.Is(type)
            && registry.Entry(type) is { IsSurrogate: false, IsStandIn: false, Serializer: IKeepingSerializer } entry
            && entry.Type == type;
    }
}
