namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>One change between two releases of a program, with what each reads of the other's bytes.</summary>
internal abstract class Change(string name)
{
    private readonly List<Reading> _readings = [];

    /// <summary>The change as the page names it.</summary>
    public string Name { get; } = name;

    /// <summary>The readings, of the new release first.</summary>
    public IEnumerable<Reading> Readings => _readings.OrderByDescending(reading => reading.IsByNew);

    /// <summary>What the options of the release before and after the change have of their own.</summary>
    public Func<SerializerOptions, SerializerOptions> OldOptions { get; protected set; } = options => options;

    public Func<SerializerOptions, SerializerOptions> NewOptions { get; protected set; } = options => options;

    /// <summary>Whether the root has one name in both releases. Otherwise each has its own.</summary>
    public bool HasOneName { get; protected set; } = true;

    protected bool IsTyped { get; set; }

    /// <summary>A change of the type of messages.</summary>
    public static RootChange<TOld, TNew> Of<TOld, TNew>(string name) => new(name);

    /// <summary>A change of the type of a member, which has the same name in both releases.</summary>
    public static MemberChange<TOld, TNew> OfMember<TOld, TNew>(string name) => new(name);

    protected void Add(Reading reading) => _readings.Add(reading);

    protected static string Refusal(WireFormatError error, string when) => when.Length == 0 ? $"`{error}`" : $"`{error}` {when}";
}

/// <summary>The methods by which the cases are written down.</summary>
internal abstract class Change<TOld, TNew, TSelf>(string name) : Change(name)
    where TSelf : Change<TOld, TNew, TSelf>
{
    /// <summary>Lets both releases have options beside those of every case.</summary>
    public TSelf With(Func<SerializerOptions, SerializerOptions> options)
    {
        OldOptions = NewOptions = options;
        return (TSelf)this;
    }

    /// <summary>Lets the releases differ in their options.</summary>
    public TSelf With(Func<SerializerOptions, SerializerOptions> old, Func<SerializerOptions, SerializerOptions> @new)
    {
        (OldOptions, NewOptions) = (old, @new);
        return (TSelf)this;
    }

    /// <summary>Lets the root have its own name in each release.</summary>
    public TSelf Named()
    {
        HasOneName = false;
        return (TSelf)this;
    }

    /// <summary>Writes and reads with typed roots.</summary>
    public TSelf Typed()
    {
        IsTyped = true;
        return (TSelf)this;
    }

    /// <summary>Says that the new release reads what the old one wrote.</summary>
    public TSelf NewReads(TOld written, TNew expected, string words = "the value") => Add(true, Old(written), New(expected), words);

    /// <summary>Says that the old release reads what the new one writes.</summary>
    public TSelf OldReads(TNew written, TOld expected, string words = "the value") => Add(false, New(written), Old(expected), words);

    /// <summary>Says that both releases read the other's value.</summary>
    public TSelf BothRead(TOld old, TNew @new, string words = "the value") => NewReads(old, @new, words).OldReads(@new, old, words);

    /// <summary>Says that the new release reads its own value again after the old one has read it and sent it on.</summary>
    public TSelf NewReadsAgain(TNew written, string words)
    {
        Add(new RelayedReading<TOld, TNew>(written) { IsByNew = true, Words = words });
        return (TSelf)this;
    }

    public TSelf NewRefuses(TOld written, string when, WireFormatError error, params string[] parts) =>
        Refuse(true, Old(written), New(default!), when, error, parts);

    public TSelf NewRefuses(TOld written, WireFormatError error, params string[] parts) => NewRefuses(written, "", error, parts);

    public TSelf OldRefuses(TNew written, string when, WireFormatError error, params string[] parts) =>
        Refuse(false, New(written), Old(default!), when, error, parts);

    public TSelf OldRefuses(TNew written, WireFormatError error, params string[] parts) => OldRefuses(written, "", error, parts);

    /// <summary>Says that neither release reads the other's value.</summary>
    public TSelf BothRefuse(TOld old, TNew @new, WireFormatError error, params string[] parts) =>
        NewRefuses(old, error, parts).OldRefuses(@new, error, parts);

    protected abstract object? Old(TOld value);

    protected abstract object? New(TNew value);

    protected abstract Reading Make(bool isByNew, object? written, object? expected, string words, WireFormatError? error, string[] parts);

    private TSelf Add(bool isByNew, object? written, object? expected, string words)
    {
        Add(Make(isByNew, written, expected, words, error: null, []));
        return (TSelf)this;
    }

    private TSelf Refuse(bool isByNew, object? written, object? none, string when, WireFormatError error, string[] parts)
    {
        Add(Make(isByNew, written, none, Refusal(error, when), error, parts));
        return (TSelf)this;
    }
}

/// <summary>A change of the type of messages.</summary>
internal sealed class RootChange<TOld, TNew>(string name) : Change<TOld, TNew, RootChange<TOld, TNew>>(name)
{
    protected override object? Old(TOld value) => value;

    protected override object? New(TNew value) => value;

    protected override Reading Make(
        bool isByNew, object? written, object? expected, string words, WireFormatError? error, string[] parts) => isByNew
        ? new Reading<TOld, TNew>((TOld)written!, (TNew?)expected, IsTyped)
        { IsByNew = true, Words = words, Error = error, MessageParts = parts }
        : new Reading<TNew, TOld>((TNew)written!, (TOld?)expected, IsTyped)
        { IsByNew = false, Words = words, Error = error, MessageParts = parts };
}

/// <summary>A change of the type of a member.</summary>
internal sealed class MemberChange<TOld, TNew>(string name) : Change<TOld, TNew, MemberChange<TOld, TNew>>(name)
{
    protected override object? Old(TOld value) => new Holder<TOld> { Value = value };

    protected override object? New(TNew value) => new Holder<TNew> { Value = value };

    protected override Reading Make(
        bool isByNew, object? written, object? expected, string words, WireFormatError? error, string[] parts) => isByNew
        ? new Reading<Holder<TOld>, Holder<TNew>>((Holder<TOld>)written!, (Holder<TNew>)expected!, IsTyped)
        { IsByNew = true, Words = words, Error = error, MessageParts = parts }
        : new Reading<Holder<TNew>, Holder<TOld>>((Holder<TNew>)written!, (Holder<TOld>)expected!, IsTyped)
        { IsByNew = false, Words = words, Error = error, MessageParts = parts };
}
