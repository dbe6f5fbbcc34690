using System.Collections.Immutable;
using System.Reflection;
using Wire.Errors;
using Wire.Filtering;
using Wire.Format;
using Wire.Runtime;

namespace Wire;

/// <summary>
/// A list of rules that allow or deny the types that a payload may name. Always allowed are the types that the library knows, the requested
/// type and the declared types of its members, known types, singletons, surrogates, types with an alias or redirect, and .NET's own enums
/// and exceptions; everything else is refused until a rule allows it. Each element of an array and each argument of a generic type is
/// checked separately.
/// </summary>
/// <remarks>
/// <para>A rule that denies takes precedence over every rule that allows and over everything that is always allowed, except types that have
/// a tag in the format, such as numbers, strings and <see cref="object"/>, and arrays of these. No value of a denied type is read, even
/// where a variable declares the type and the payload does not name it. The filter does not apply to writing.</para>
/// <para>The filter checks names, before a type is loaded. It looks only into the assemblies of the program: those that are loaded, and
/// those that these refer to, which are loaded for a type that a rule allows. Immutable and thread-safe; every method returns a new
/// filter.</para>
/// </remarks>
public sealed class WireTypeFilter
{
    private readonly ImmutableArray<TypeRule> _rules;

    private WireTypeFilter(ImmutableArray<TypeRule> rules)
    {
        _rules = rules;
        if (rules.IsEmpty)
        {
            // Most programs have none, and need no query before their first message.
            Allowing = Denying = rules;
            return;
        }

        Allowing = Those(rules, static rule => !rule.Denies && rule is not OneType);
        Denying = Those(rules, static rule => rule.Denies);
    }

    /// <summary>Allows only what is always allowed: the start of every filter.</summary>
    /// <example>
    /// <code>
    /// WireTypeFilter filter = WireTypeFilter.Default.AllowDerivedFrom&lt;Message>().Allow&lt;Point>();
    /// </code>
    /// </example>
    public static WireTypeFilter Default { get; } = new([]);

    /// <summary>
    /// Allows every type of every assembly of the program, except types that are known to run an attacker's code, and classes
    /// that derive from one: only <see cref="Allow(Type)"/> allows these. Only for closed systems, in which every author of bytes already
    /// has the program's rights: a payload can then create and fill any object that the program's assemblies define.
    /// </summary>
    public static WireTypeFilter Unrestricted => WithoutRestriction.Filter;

    internal bool IsUnrestricted => Allowing.Any(rule => rule is EveryType);

    /// <summary>The types that are allowed one by one.</summary>
    internal IEnumerable<Type> Types => _rules.OfType<OneType>().Where(rule => !rule.Denies).Select(rule => rule.Type);

    /// <summary>The rules that allow types which the program has not named one by one.</summary>
    internal ImmutableArray<TypeRule> Allowing { get; }

    /// <summary>The rules that deny.</summary>
    internal ImmutableArray<TypeRule> Denying { get; }

    /// <inheritdoc cref="Allow(Type)"/>
    /// <typeparam name="T">The type.</typeparam>
    /// <example>
    /// <code>
    /// WireTypeFilter filter = WireTypeFilter.Default.Allow&lt;OrderPlaced>().Allow&lt;OrderShipped>();
    /// </code>
    /// </example>
    public WireTypeFilter Allow<T>() => Allow(typeof(T));

    /// <summary>
    /// Allows a type, and the types of its members by declaration. An open generic type is allowed with every allowed argument. This works
    /// even for a type that other rules never allow because it is a known way to run code; such a type needs a surrogate or value
    /// serializer of the program to be read.
    /// </summary>
    /// <param name="type">The type.</param>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public WireTypeFilter Allow(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return With(new OneType(type));
    }

    /// <summary>Allows every type that this assembly, and no other of the same name, defines.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <exception cref="ArgumentNullException"><paramref name="assembly"/> is null.</exception>
    /// <exception cref="ArgumentException">The assembly is the core library: its types are allowed one by one.</exception>
    public WireTypeFilter AllowAssembly(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        if (assembly == typeof(object).Assembly)
        {
            throw new ArgumentException(
                "The core library has types that must not come from a payload. Allow the ones you need by type.", nameof(assembly));
        }

        return With(new InAssembly(assembly));
    }

    /// <summary>Allows every type of a namespace and of the namespaces inside it, in the assemblies of the program.</summary>
    /// <param name="name">The namespace, in the case that it is written in.</param>
    /// <exception cref="ArgumentException">The namespace is empty, or it is System or Microsoft or inside one of them.</exception>
    /// <example>
    /// <code>
    /// WireTypeFilter filter = WireTypeFilter.Default.AllowNamespace("Shop"); // and Shop.Orders, Shop.Orders.Events
    /// </code>
    /// </example>
    public WireTypeFilter AllowNamespace(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (string.IsNullOrWhiteSpace(name))
        {
            throw new ArgumentException(
                "The namespace is empty. Give one with the types of payloads, such as \"Shop.Messages\".", nameof(name));
        }

        string root = name.Split('.')[0];
        if (root is "System" or "Microsoft")
        {
            throw new ArgumentException(
                $"'{name}' holds types that must not come from a payload. Allow the ones you need by type.", nameof(name));
        }

        return With(new InNamespace(name));
    }

    /// <inheritdoc cref="AllowDerivedFrom(Type)"/>
    /// <typeparam name="TBase">The class or interface.</typeparam>
    /// <example>
    /// <code>
    /// var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom&lt;Message>() });
    /// Message? message = serializer.Deserialize&lt;Message>(payload);
    /// </code>
    /// </example>
    public WireTypeFilter AllowDerivedFrom<TBase>() => AllowDerivedFrom(typeof(TBase));

    /// <summary>
    /// Allows a class or interface and every type that derives from it or implements it, in the assemblies of the program.
    /// </summary>
    /// <param name="baseType">The class or interface. An open generic type stands for all types constructed from it.</param>
    /// <exception cref="ArgumentNullException"><paramref name="baseType"/> is null.</exception>
    /// <exception cref="ArgumentException">
    /// It is a type of the core library, from which too many types derive, or a type that is known to run an attacker's code.
    /// </exception>
    public WireTypeFilter AllowDerivedFrom(Type baseType)
    {
        ArgumentNullException.ThrowIfNull(baseType);
        if (baseType.Assembly == typeof(object).Assembly)
        {
            throw new ArgumentException(
                $"Too many types derive from {baseType}: allow the ones you need by type, assembly or namespace.", nameof(baseType));
        }

        if (Gadgets.Contains(baseType))
        {
            throw new ArgumentException(
                $"{baseType} and what derives from it are known to run code that an attacker chooses: allow the ones you need by type.",
                nameof(baseType));
        }

        return With(new DerivedFrom(baseType));
    }

    /// <summary>
    /// Allows every type that has an attribute itself, not by inheritance, in those assemblies of the program that are not
    /// part of .NET. An attribute that derives from <typeparamref name="TAttribute"/> counts too.
    /// </summary>
    /// <typeparam name="TAttribute">The attribute.</typeparam>
    /// <exception cref="ArgumentException">It is an attribute of the core library, which too many types have.</exception>
    public WireTypeFilter AllowWithAttribute<TAttribute>()
        where TAttribute : Attribute
    {
        if (typeof(TAttribute).Assembly == typeof(object).Assembly)
        {
            throw new ArgumentException(
                $"Too many types have a {typeof(TAttribute)}: use one of your own, or allow the types that you need by type, assembly or " +
                "namespace.", nameof(TAttribute));
        }

        return With(new WithAttribute(typeof(TAttribute)));
    }

    /// <summary>Allows the types of the program's own assemblies that a predicate accepts. Types of .NET are not offered.</summary>
    /// <param name="predicate">
    /// Gets a type's full name, such as <c>Shop.Order</c> or <c>Shop.Box`1</c>, without arguments and with '+' before an inner type,
    /// and the simple name of an assembly of the program. It sees names and no types, because a type that nothing allows yet is not
    /// touched. Where the assembly has no type of that name, because it is invented or from another version, the answer decides which error
    /// is reported. It is called on any thread, also concurrently, and must always give the same answer, which may be cached. Its
    /// exceptions reach the caller unchanged, and then no answer is cached.
    /// </param>
    /// <exception cref="ArgumentNullException"><paramref name="predicate"/> is null.</exception>
    public WireTypeFilter AllowWhere(Func<string, string, bool> predicate)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        return With(new Where(predicate));
    }

    /// <inheritdoc cref="Deny(Type)"/>
    /// <typeparam name="T">The type.</typeparam>
    public WireTypeFilter Deny<T>() => Deny(typeof(T));

    /// <summary>Denies a type, whatever else allows it, and no type that derives from it.</summary>
    /// <param name="type">The type; an open generic one stands for all that it constructs.</param>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    /// <exception cref="ArgumentException">The format knows the type by a tag, so that it is never refused.</exception>
    public WireTypeFilter Deny(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return !TagTypes.Contains(type)
            ? With(new OneType(type) { Denies = true })
            : throw new ArgumentException($"{type} is a built-in type with a tag of its own, which is never refused.", nameof(type));
    }

    /// <summary>Denies every type of an assembly, and of any other with the same simple name.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <exception cref="ArgumentNullException"><paramref name="assembly"/> is null.</exception>
    public WireTypeFilter DenyAssembly(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        return With(new InAssembly(assembly) { Denies = true });
    }

    /// <summary>Denies every type of a namespace and of the namespaces inside it. It may be one of .NET.</summary>
    /// <param name="name">The namespace, in the case that it is written in.</param>
    /// <exception cref="ArgumentException">The namespace is empty.</exception>
    public WireTypeFilter DenyNamespace(string name)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        return With(new InNamespace(name) { Denies = true });
    }

    /// <inheritdoc cref="DenyDerivedFrom(Type)"/>
    /// <typeparam name="TBase">The class or interface.</typeparam>
    public WireTypeFilter DenyDerivedFrom<TBase>() => DenyDerivedFrom(typeof(TBase));

    /// <summary>Denies a class or interface and every type that derives from it or implements it.</summary>
    /// <param name="baseType">The class or interface. An open generic type stands for all types constructed from it.</param>
    /// <exception cref="ArgumentNullException"><paramref name="baseType"/> is null.</exception>
    public WireTypeFilter DenyDerivedFrom(Type baseType)
    {
        ArgumentNullException.ThrowIfNull(baseType);
        return With(new DerivedFrom(baseType) { Denies = true });
    }

    /// <summary>
    /// Denies every type that has an attribute itself, not by inheritance; one that derives from <typeparamref name="TAttribute"/> counts
    /// too.
    /// </summary>
    /// <typeparam name="TAttribute">The attribute.</typeparam>
    public WireTypeFilter DenyWithAttribute<TAttribute>()
        where TAttribute : Attribute => With(new WithAttribute(typeof(TAttribute)) { Denies = true });

    /// <summary>Denies the types that a predicate names.</summary>
    /// <param name="predicate">
    /// As for <see cref="AllowWhere"/>, but with the type's name in this program, and also for types of .NET.
    /// </param>
    /// <exception cref="ArgumentNullException"><paramref name="predicate"/> is null.</exception>
    public WireTypeFilter DenyWhere(Func<string, string, bool> predicate)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        return With(new Where(predicate) { Denies = true });
    }

    /// <summary>Joins two filters: the result allows a type that either allows and neither denies.</summary>
    /// <param name="other">The other filter.</param>
    /// <exception cref="ArgumentNullException"><paramref name="other"/> is null.</exception>
    public WireTypeFilter Union(WireTypeFilter other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return new(_rules.AddRange(other._rules));
    }

    /// <summary>The rules in their order: for logs.</summary>
    public override string ToString() =>
        IsUnrestricted && _rules.Length == 1 ? nameof(Unrestricted) : ShortList.Show(_rules.Select(rule => rule.ToString()));

    /// <summary>Returns whether a rule denies a type, regardless of its arguments or elements.</summary>
    internal bool IsDenied(Type type) =>
        !Denying.IsEmpty && Denies(type);

    private bool Denies(Type type) => !TagTypes.Contains(type) && !IStandIn.Is(type) && Denying.Any(rule => rule.Matches(type));

    private static ImmutableArray<TypeRule> Those(ImmutableArray<TypeRule> rules, Func<TypeRule, bool> are) =>
        [.. rules.Where(are)];

    // Few programs ask for it.
    private static class WithoutRestriction
    {
        public static readonly WireTypeFilter Filter = new([new EveryType()]);
    }

    private WireTypeFilter With(TypeRule rule) => new(_rules.Add(rule));
}
