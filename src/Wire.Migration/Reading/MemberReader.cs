using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Wire.Compilation;
using Wire.Errors;
using Wire.Runtime;
using Wire.Types;

// The interfaces of formatters are obsolete because formatters created any type; here the filter decides.
#pragma warning disable SYSLIB0050

namespace Wire.Migration.Reading;

/// <summary>The part of an object that belongs to its base class of .NET.</summary>
internal interface IPart
{
    /// <summary>Returns whether a member of a record belongs to the part.</summary>
    bool Has(string name);

    /// <summary>
    /// Gets whether the base class wrote itself, so that what else is in the record came from a GetObjectData of the program.
    /// </summary>
    bool IsSelfWritten { get; }

    /// <summary>Constructs the part in place.</summary>
    void Fill(GraphReader graph, ClassRecord record, object target);
}

/// <summary>
/// Classes and structs, member by member, by the plan of the serializer: the members that Wire writes are those that are read.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal sealed class MemberReader(Type type, TypePlan plan, IPart? part, TypeReaders readers) : ITypeReader
{
    // The records of a payload, and most payloads, have one form.
    private Form? _last;

    public static MemberReader Create(Type type, TypeRegistry registry, TypeReaders readers, IPart? part = null)
    {
        CheckCallbacks(type, registry.Options);
        if (typeof(IObjectReference).IsAssignableFrom(type) && !registry.Options.UseSerializable)
        {
            throw SelfWritten.Needs(
                type,
                nameof(SerializerOptions.UseSerializable),
                "implements IObjectReference, so BinaryFormatter put what its GetRealObject returned into its place");
        }

        part ??= SerializerSource.Library.BasePartOf(type) is { } below ? Collections.PartOf(below, registry) : null;
        return new MemberReader(type, TypePlan.Create(type, registry), part, readers);
    }

    /// <summary>Refuses a type whose callbacks BinaryFormatter called and the options do not allow.</summary>
    /// <exception cref="WireFormatException">The options do not allow them.</exception>
    public static void CheckCallbacks(Type type, SerializerOptions options)
    {
        if (!options.UseSerializationCallbacks
            && SerializationCallbacks.Find(type, options with { UseSerializationCallbacks = true }) is { } callbacks
            && (ImplementsCallback(type) || callbacks.Deserializing.Length + callbacks.Deserialized.Length > 0))
        {
            throw SelfWritten.Needs(
                type,
                nameof(SerializerOptions.UseSerializationCallbacks),
                "has methods with [OnDeserializing] or [OnDeserialized], or implements IDeserializationCallback, which BinaryFormatter "
                + "called");
        }
    }

    // The base class of a collection implements it for what the collection itself has written.
    private static bool ImplementsCallback(Type type) => typeof(IDeserializationCallback).IsAssignableFrom(type)
        && !FrameworkAssemblies.Contains(type.GetInterfaceMap(typeof(IDeserializationCallback)).TargetMethods[0].DeclaringType!.Assembly);

    public object Read(GraphReader graph, ClassRecord record)
    {
        graph.TakeObject(type);
        Form form = FormOf(record, graph.Options);
        bool isReference = typeof(IObjectReference).IsAssignableFrom(type);
        object target = form.IsWhole || plan.Constructor is not { } constructor
            ? RuntimeHelpers.GetUninitializedObject(type)
            : constructor.Invoke(BindingFlags.DoNotWrapExceptions, binder: null, parameters: null, culture: null);
        if (!isReference)
        {
            graph.Track(target);
        }

        SerializationCallbacks.Call(plan.Callbacks?.Deserializing ?? [], target);
        int unfilled = graph.Unfilled;
        part?.Fill(graph, record, target);
        foreach ((WireMember member, string name) in form.Members)
        {
            FieldInfo field = member.Field!;
            field.SetValue(target, graph.ReadMember(member.Number, record.GetRawValue(name), field.FieldType));
        }

        if (plan.Callbacks is { } callbacks)
        {
            graph.CallBack(callbacks, target);
        }

        if (!isReference)
        {
            return target;
        }

        graph.CheckFilled(type, unfilled);
        return SelfWritten.RealObject(target);
    }

    private Form FormOf(ClassRecord record, SerializerOptions options)
    {
        Form? form = Volatile.Read(ref _last);
        if (form?.Fits(record) != true)
        {
            form = Match(record, options);
            Volatile.Write(ref _last, form);
        }

        return form;
    }

    private Form Match(ClassRecord record, SerializerOptions options)
    {
        string[] names = [.. record.MemberNames];
        OldMember[] written = [.. names.Where(name => part?.Has(name) != true).Select(name => new OldMember(name, type))];
        WireMember[] members = [.. plan.Members.Where(member => member.Field is { } field && !IsOfPart(field))];
        List<(WireMember Member, string Name)> found = OldMember.Match(written, members, type, options.TypeAliases);
        string[] unknown = [.. written.ExceptBy(found.Select(pair => pair.Name), member => member.Name).Select(member => member.Shown)];
        WireMember[] missing = [.. members.Except(found.Select(pair => pair.Member))];
        if (unknown.Length > 0 && part is { IsSelfWritten: true })
        {
            throw new WireFormatException(
                WireFormatError.SchemaMismatch,
                $"A GetObjectData of '{record.TypeName.FullName}' wrote {ShortList.Show(unknown)}, and this program's {type} has no "
                + "members with these names. Give the fields that they are in [WireName] with them.");
        }

        foreach (WireMember member in missing)
        {
            AbsentMembers.Check(member, type.ToString(), $"'{record.TypeName.FullName}'", options.MissingMembers);
        }

        if (unknown.Length + missing.Length > 0)
        {
            Report(record, options, unknown, missing);
        }

        return new Form(names, [.. found], missing.Length == 0);
    }

    // The constructor of the part fills its fields.
    private bool IsOfPart(FieldInfo field) => part is not null && FrameworkAssemblies.Contains(field.DeclaringType!.Assembly);

    private void Report(ClassRecord record, SerializerOptions options, string[] unknown, WireMember[] missing)
    {
        if (options.SchemaDifference is not { } report)
        {
            return;
        }

        const int MostKept = 256;
        var difference = new SchemaDifference(
            type, record.TypeName.FullName, [.. unknown.Take(MostKept)], [.. missing.Take(MostKept).Select(member => member.Name)], []);
        (Type, string) key = (type, difference.ToString());
        if (readers.Reported.ContainsKey(key))
        {
            return;
        }

        report(difference);
        if (readers.Reported.Count < options.Limits.MaxManifests)
        {
            readers.Reported.TryAdd(key, true);
        }
    }

    private sealed record Form(string[] Names, (WireMember Member, string Name)[] Members, bool IsWhole)
    {
        public bool Fits(ClassRecord record)
        {
            int i = 0;
            foreach (string name in record.MemberNames)
            {
                if (i == Names.Length || Names[i++] != name)
                {
                    return false;
                }
            }

            return i == Names.Length;
        }
    }
}

#pragma warning restore SYSLIB0050
