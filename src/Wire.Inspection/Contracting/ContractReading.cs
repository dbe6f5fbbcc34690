using Wire.Format;

namespace Wire.Contracting;

/// <summary>Judges what becomes of the values of one contract's types that those of another one read.</summary>
/// <remarks>
/// By the words of the contracts, since of old types nothing else is left; where the types that read are the program's own, the <see
/// cref="ContractMachine"/> is asked too.
/// </remarks>
internal sealed partial class ContractReading(
    ContractTypes writer, ContractTypes reader, ContractDirection direction, ContractMachine? machine)
{
    private readonly ContractNames _names = new(reader);
    private readonly ContractSharing _sharing = new(writer, new ContractNames(reader));
    private readonly Dictionary<(string Written, string Own, bool AreUnnamed), Finding> _types = [];

    // True inside of objects whose own manifests know the elements of tuples by place alone.
    private bool _areUnnamed;
    private readonly SortedDictionary<string, List<ContractDifference>> _differences = new(StringComparer.Ordinal);

    /// <summary>Judges all types, and lists what is not simply read.</summary>
    public IReadOnlyList<ContractDifference> Judge()
    {
        foreach (ContractType written in writer.All)
        {
            if (_names.Find(written) is { } own)
            {
                JudgeTypes(written, own);
            }
            else if (IsNamed(written) && !_names.IsOfDotNet(written))
            {
                Missing(written);
            }
        }

        return [.. _differences.Values.SelectMany(list => list.OrderByDescending(one => one.Verdict))];
    }

    // A type has its name in payloads as their root, and in variables that hold objects of several types.
    private bool IsNamed(ContractType type) => type.IsRoot
        || (type.Kind is ContractKind.Class or ContractKind.Custom or ContractKind.Union && type.IsReference
            && Variables().Any(variable => IsOpenFor(variable.Type, type)));

    private IEnumerable<ContractVariable> Variables() => writer.All.SelectMany(type => type.Members.Select(member => member.Variable)
        .Concat(type.Cases.SelectMany(one => one.Fields.Select(field => field.Variable)))
        .Concat(type.Parts)
        .SelectMany(Elements));

    private IEnumerable<ContractVariable> Elements(ContractVariable variable)
    {
        for (ContractVariable? one = variable; one is not null; one = writer.ElementOf(one.Type))
        {
            yield return one;
        }
    }

    private static bool IsOpenFor(string variable, ContractType type) => variable == ContractWords.NameOf(Tag.Object)
        || type.Bases.Contains(variable)
        || (type.Key == variable && !type.IsClosed);

    private void Missing(ContractType written)
    {
        ContractType? alike = FindAlike(written);
        string? known = written.Former.FirstOrDefault(former => reader.All.Any(type => type.Name == former));
        string? remedy = known is not null ? $"[WireName(\"{known}\")] on {written.Key}: by this name the reader has it"
            : alike is null ? null
            : direction == ContractDirection.ReadsOld ? ContractRemedies.Redirect(written, alike)
            : ContractRemedies.Rename(written, alike);
        Finding finding = Finding.Refuses(written.KnownAs is { } number
            ? $"there is no known type {number}."
            : $"there is no type of the name '{written.Name}'.");
        Report(written.Key, null, written.IsRoot ? finding : finding.Sometimes(), remedy);
    }

    // What the type may have become: of the same words, or with most members alike, and without a name in the other contract.
    private ContractType? FindAlike(ContractType written)
    {
        var others = new ContractNames(writer);
        ContractType[] free = [.. reader.All.Where(type => type.Kind == written.Kind && others.Find(type) is null)];
        return Array.Find(free, type => type.Key == written.Key) ?? free
            .Select(type => (Type: type, Alike: type.Members.Count(member => written.Members.Any(other => other.Name == member.Name))))
            .Where(one => one.Alike > 0 && one.Alike * 2 >= Math.Max(one.Type.Members.Count, written.Members.Count))
            .OrderByDescending(one => one.Alike)
            .Select(one => one.Type)
            .FirstOrDefault();
    }

    /// <summary>Judges the values of a type that are read as another, once.</summary>
    private Finding JudgeTypes(ContractType written, ContractType own)
    {
        bool areUnnamed = _areUnnamed;
        _areUnnamed &= ContractPairs.IsTuple(written);
        Finding finding = JudgeNamed(written, own);
        _areUnnamed = areUnnamed;
        return finding;
    }

    private Finding JudgeNamed(ContractType written, ContractType own)
    {
        (string, string, bool) pair = (written.Key, own.Key, _areUnnamed);
        if (!_types.TryGetValue(pair, out Finding known))
        {
            // A type that contains itself is as its other parts are.
            _types[pair] = Finding.Reads;
            known = JudgeOnce(written, own);
            if (known.Verdict < ContractVerdict.Refuses
                && !ContractPairs.IsTuple(own)
                && written.HasFingerprint
                && own.HasFingerprint
                && written.IsReplaced == own.IsReplaced
                && machine?.FindRefusal(own.Key, new ContractShapes(writer).Build(written)) is { } refusal)
            {
                known = Finding.Refuses(refusal);
                Report(own.Key, null, known, null);
            }

            _types[pair] = known;
        }

        return known;
    }

    private Finding JudgeOnce(ContractType written, ContractType own)
    {
        if (!writer.IsTolerant || !reader.IsTolerant)
        {
            return written.HasFingerprint && own.HasFingerprint && written.Fingerprint != own.Fingerprint
                ? Report(own.Key, null, Finding.Refuses("its schema is another one, and VersionTolerance is off."), null)
                : Finding.Reads;
        }

        if (written.IsReplaced != own.IsReplaced)
        {
            return Report(own.Key, null, Finding.Refuses("only one side has a surrogate for it."), null);
        }

        return (written.Kind, own.Kind) switch
        {
            (ContractKind.Class or ContractKind.Struct, ContractKind.Class or ContractKind.Struct) =>
                Members(own, null, _areUnnamed ? ContractPairs.Unname(written.Members) : written.Members, own.Members),
            (ContractKind.Enum, ContractKind.Enum) => ReportAll(own, ContractEnums.Judge(
                written,
                own,
                new ContractShapes(writer).Build(written),
                new ContractShapes(reader).Build(own),
                writer.HasEnumNames,
                direction)),
            (ContractKind.Union, ContractKind.Union) => Cases(written, own),
            (ContractKind.Abstract, _) or (_, ContractKind.Abstract) => Finding.Reads,
            _ => ReportType(own, Layouts(written, own)),
        };
    }

    private Finding ReportType(ContractType own, Finding finding) =>
        own.Kind is ContractKind.Custom ? Report(own.Key, null, finding, null) : finding;

    private Finding ReportAll(ContractType own, IEnumerable<(string? Member, Finding Finding, string? Remedy)> findings)
    {
        Finding worst = Finding.Reads;
        foreach ((string? member, Finding finding, string? remedy) in findings)
        {
            worst = worst.Or(Report(own.Key, member, finding, remedy));
        }

        return worst;
    }

    private Finding Cases(ContractType written, ContractType own)
    {
        Finding worst = Finding.Reads;
        foreach (ContractCase one in written.Cases)
        {
            ContractCase? other = own.Cases.FirstOrDefault(other => other.Name == one.Name);
            worst = worst.Or(other is null
                ? Report(own.Key, one.Name, Finding.RefusesSome("there is no such case."), null)
                : Members(own, one.Name, one.Fields, other.Fields));
        }

        return worst;
    }

    private Finding Members(
        ContractType own, string? union, IReadOnlyList<ContractMember> written, IReadOnlyList<ContractMember> members)
    {
        ContractPairs pairs = ContractPairs.Match(written, members, own);
        Finding worst = Finding.Reads;
        foreach (string name in pairs.Ambiguous)
        {
            worst = worst.Or(Report(
                own.Key,
                name,
                Finding.Refuses("several classes have a member of this name, and no name says which is which."),
                $"[WireName(\"...\")] on {name} of each class, with the names that the payloads have"));
        }

        if (union is null && written.Count > 0 && members.Count > 0 && pairs.Both.Count == 0)
        {
            worst = worst.Or(Report(own.Key, null, Finding.Refuses("no member has a name in common: they are taken for two types."), null));
        }

        foreach ((ContractMember one, ContractMember other) in pairs.Both)
        {
            Finding finding = one.IsBase || other.IsBase ? Bases(one, other) : Variables(one.Variable, other.Variable);
            worst = worst.Or(Report(
                own.Key,
                Named(union, other),
                finding,
                finding.Verdict >= ContractVerdict.RefusesSome && !finding.IsElsewhere && one.Variable.Type != other.Variable.Type
                    ? $"keep the type of {own.Key}.{other.PlainName}, and add a member of the new type beside it"
                    : null));
        }

        foreach (ContractMember member in pairs.Written)
        {
            ContractMember? renamed = Renamed(member, pairs.Own, pairs.Written);
            worst = worst.Or(Skipped(own, Named(union, member), member, renamed is null ? null : RenamedBy(own, member, renamed)));
        }

        foreach (ContractMember member in pairs.Own)
        {
            ContractMember? renamed = Renamed(member, pairs.Written, pairs.Own);
            worst = worst.Or(Report(
                own.Key,
                Named(union, member),
                Lacking(member),
                renamed is null ? null : RenamedBy(own, renamed, member)));
        }

        return worst;
    }

    private Finding Skipped(ContractType own, string name, ContractMember member, string? renamed)
    {
        Finding finding = Finding.Loses("it is passed over: the reader has no member of this name.");
        if (_sharing.Find(member) is not var (type, variable))
        {
            return Report(own.Key, name, finding, renamed);
        }

        return Report(
            own.Key,
            name,
            finding.Or(Finding.RefusesSome(
                $"it is passed over, and a {type} that it shares with a variable of {variable} is refused: the payload does not name it.")),
            renamed ?? (direction == ContractDirection.IsReadByOld
                ? $"declare {own.Key}.{member.PlainName} so that payloads name what is in it: as {variable}"
                : $"keep {own.Key}.{member.PlainName}"));
    }

    private Finding Lacking(ContractMember member)
    {
        string? reason = reader.Missing >= MissingMembers.RequiredRefused && member.IsRequired ? "is required"
            : reader.Missing == MissingMembers.NonNullRefused && IsNullable(member) && !member.Variable.MayBeNull ? "may not be null"
            : null;
        return reason is not null ? Finding.Refuses($"it {reason}, and the payload does not have it.")
            : reader.HasConstructors
            ? Finding.Loses("it stays as its constructor leaves it, or null or zero: the payload does not have it.")
            : Finding.Loses($"it stays {(IsNullable(member) ? "null" : "zero")}: the payload does not have it.");
    }

    private bool IsNullable(ContractMember member) => member.Variable.MayBeNull || reader.IsTagged(member.Variable.Type)
        || member.Variable.Type == ContractWords.NameOf(Tag.String);

    private static string Named(string? union, ContractMember member) => union is null ? member.Name : $"{union}.{member.Name}";

    // The only one of its type that has gone, for the only one that has come.
    private static ContractMember? Renamed(
        ContractMember member, IReadOnlyList<ContractMember> others, IReadOnlyList<ContractMember> alone)
    {
        ContractMember[] alike = [.. others.Where(other => other.Variable.Type == member.Variable.Type)];
        return alike is [var only] && alone.Count(other => other.Variable.Type == member.Variable.Type) == 1 ? only : null;
    }

    // The old name goes to the member of the new type, whichever of the two reads.
    private string RenamedBy(ContractType own, ContractMember written, ContractMember read)
    {
        (ContractMember old, ContractMember now) = direction == ContractDirection.ReadsOld ? (written, read) : (read, written);
        return $"[WireName(\"{old.Name}\")] on {own.Key}.{now.PlainName}, if that is what has become of it";
    }

    private Finding Report(string type, string? member, Finding finding, string? remedy)
    {
        if (finding.Verdict != ContractVerdict.Reads)
        {
            if (!_differences.TryGetValue(type, out List<ContractDifference>? list))
            {
                _differences.Add(type, list = []);
            }

            var difference = new ContractDifference(direction, type, member, finding.Verdict, finding.Reason, remedy);
            if (!list.Contains(difference))
            {
                list.Add(difference);
            }
        }

        return finding;
    }
}
