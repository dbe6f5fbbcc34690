using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

namespace Wire.Plans;

/// <summary>
/// Compiles beforehand what messages of some types need: the emitted code, and that of the library which the types have it compiled for.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class Preparation(TypeRegistry registry)
{
    private const BindingFlags AllDeclared =
        BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private readonly HashSet<ValueSerializer> _prepared = [];

    // Roots with flat code that have not been met as parts yet.
    private readonly HashSet<ValueSerializer> _withOwnCode = [];

    // What generic types have been compiled over.
    private readonly HashSet<Type> _compiled = [];

    /// <summary>Prepares messages whose roots are of a type.</summary>
    /// <exception cref="UnsupportedTypeException">The type cannot be serialized.</exception>
    public void Add(Type type)
    {
        if (type.ContainsGenericParameters || type.IsPointer || type.IsByRef || type.IsByRefLike || type.IsFunctionPointer)
        {
            // These cannot be the argument of a generic type.
            registry.Entry(type);
        }

        Rehearsal.Perform();
        TypeEntry entry = registry.Entry(type);
        WritePlan? plan = entry.PreparedPlan;
        AddParts(entry.Serializer, new TypeBounds(type), isFlat: plan is { IsFlat: true });
        if (plan is not null)
        {
            plan.Prepare();
            if (!type.IsCollectible)
            {
                registry.WritePlans.GetOrAdd(type, plan);
            }
        }

        var root = (IRoot)ClosedTypes.Create(typeof(Root<>), [type]);
        root.Prepare(registry, entry);
        registry.Resolver.CheckNames(type);
    }

    // The layout of a type names its parts, and a variable of a class the class.
    private void AddParts(ValueSerializer root, TypeBounds bounds, bool isFlat)
    {
        if (isFlat)
        {
            // Its messages have code of their own; other code for it is for messages that are out of the ordinary.
            _withOwnCode.Add(root);
        }

        var waiting = new Queue<ValueSerializer>([root]);
        while (waiting.TryDequeue(out ValueSerializer? next))
        {
            try
            {
                new ShapeBuilder(registry, part => AddPart(part, bounds, waiting)).Build(next);
            }
            catch (UnsupportedTypeException) when (next != root)
            {
                // A member's type, which is reported where such a value is written.
            }
        }
    }

    private void AddPart(ValueSerializer part, TypeBounds bounds, Queue<ValueSerializer> waiting)
    {
        if (_withOwnCode.Remove(part))
        {
            CompileMethods(part.GetType());
            return;
        }

        if (!_prepared.Add(part))
        {
            return;
        }

        (part as IPreparable)?.Prepare();
        CompileMethods(part.GetType());
        if (part is IObjectSlot && bounds.Admit(part.Type) && registry.TryExactEntry(part.Type) is { } entry)
        {
            waiting.Enqueue(entry.Serializer);
        }
    }

    // The library's own generic code over value types is compiled for each of them: that of value serializers, and of the formats and
    // kinds of collections that they are over.
    private void CompileMethods(Type type)
    {
        if (!RuntimeFeature.IsDynamicCodeCompiled)
        {
            return;
        }

        for (Type? current = type; current is { IsGenericType: true } && _compiled.Add(current); current = current.BaseType)
        {
            RuntimeTypeHandle[] arguments = Array.ConvertAll(current.GetGenericArguments(), argument => argument.TypeHandle);
            foreach (MethodInfo method in current.GetMethods(AllDeclared))
            {
                if (!method.IsAbstract && !method.ContainsGenericParameters)
                {
                    RuntimeHelpers.PrepareMethod(method.MethodHandle, arguments);
                }
            }

            foreach (Type argument in current.GetGenericArguments())
            {
                if (argument.Assembly == typeof(Preparation).Assembly)
                {
                    CompileMethods(argument);
                    Array.ForEach(argument.GetInterfaces(), CompileMethods);
                }
            }
        }
    }

    /// <summary>The part of a preparation that needs the root's type at compile time.</summary>
    internal interface IRoot
    {
        void Prepare(TypeRegistry registry, TypeEntry entry);
    }

    internal sealed class Root<T> : IRoot
    {
        public void Prepare(TypeRegistry registry, TypeEntry entry)
        {
            try
            {
                registry.TypedPlans.Get<T>().Prepare();
                if (!typeof(T).IsValueType && entry.Prefix is null && !typeof(T).IsCollectible)
                {
                    new DeserializerSession(registry.Serializer, ownThread: true).PreparePlan<T>(entry.NamedManifest);
                }
            }
            catch (WireFormatException)
            {
                // It may be written only, and is reported where it is read.
            }
        }
    }
}
