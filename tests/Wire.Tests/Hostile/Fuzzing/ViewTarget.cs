using System.Globalization;
using System.Reflection;
using Wire.Testing.Fuzzing;
using Wire.Tests.Documents;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>
/// Views that have met good payloads have in every other what the general way finds there, or refuse it where reading around it does.
/// </summary>
internal sealed class ViewTarget(Func<IEnumerable<Seed>> seeds) : Target("view", Routes.Payload)
{
    private const int LooksOfSeed = 6;
    private const int Tried = 8;

    // A look reads in the general way, and again what is around the value.
    private const int Readings = 16;

    // Most inputs begin as the seed does that they are made of.
    private const int Beginning = 24;

    private static readonly Serializer Serializer = new(Configuration.Options(references: false, tolerance: true, dynamicCode: true));

    private readonly Lazy<Seed[]> _seeds = new(() => [.. seeds()]);
    private readonly PayloadViews<object> _views = Serializer.Views<object>();

    private Dictionary<string, List<Look>>? _looks;

    public override IReadOnlyList<Seed> Seeds => _seeds.Value;

    public override long Allowance(byte[] input) => Tried * Readings * base.Allowance(input);

    public override object? Read(byte[] input)
    {
        _looks ??= Warm();
        if (_looks.TryGetValue(KeyOf(input), out List<Look>? looks))
        {
            foreach (Look look in looks)
            {
                look.Check(_views, input);
            }
        }

        return null;
    }

    private static string KeyOf(byte[] input) => Convert.ToHexString(input.AsSpan(0, Math.Min(Beginning, input.Length)));

    private Dictionary<string, List<Look>> Warm()
    {
        var all = new Dictionary<string, List<Look>>();
        foreach (Seed seed in _seeds.Value)
        {
            if (!all.TryGetValue(KeyOf(seed.Bytes), out List<Look>? looks))
            {
                all.Add(KeyOf(seed.Bytes), looks = []);
            }

            foreach ((string path, PayloadNode node) in NodeWalk.Paths(PayloadDocument.Parse(seed.Bytes).Root).Skip(1).Take(LooksOfSeed))
            {
                if (looks.Count < Tried && StepsOf(path) is { } steps)
                {
                    Type type = node.ScalarType ?? typeof(object);
                    looks.Add((Look)Activator.CreateInstance(
                        typeof(Look<>).MakeGenericType(type), BindingFlags.Instance | BindingFlags.Public, null, [path, steps], null)!);
                    looks[^1].Check(_views, seed.Bytes);
                }
            }
        }

        return all;
    }

    // Names in quotes, and indices; null for what has other signs.
    private static object[]? StepsOf(string path)
    {
        string[] parts = path.Trim('[', ']').Split("][");
        return Array.Exists(parts, part => part.Contains('\\')) ? null
            : [.. parts.Select(part => part[0] == '"' ? part.Trim('"') : (object)int.Parse(part, CultureInfo.InvariantCulture))];
    }

    /// <summary>A look at one place.</summary>
    private abstract class Look
    {
        public abstract void Check(PayloadViews<object> views, byte[] payload);
    }

    private sealed class Look<T>(string path, object[] steps) : Look
    {
        private readonly PayloadViewMember<object, object>[] _members =
            [.. steps.Select(step => new PayloadViewMember<object, object>(step as string ?? ""))];

        private readonly PayloadViewMember<object, T> _last = new(steps[^1] as string ?? "");

        public override void Check(PayloadViews<object> views, byte[] payload) =>
            ViewCheck.Agrees(Serializer, payload, path, typeof(T), () => Find(views.Open(payload)));

        private object? Find(PayloadView<object> view)
        {
            for (int i = 0; i < steps.Length - 1; i++)
            {
                view = steps[i] is int index ? InOrder(view).AsList<object>()[index] : Part(view, _members[i]);
            }

            return steps[^1] is int last ? InOrder(view).AsList<T>()[last].ToObject()
                : IsMap(view) ? ValueOf<T>(view, (string)steps[^1])
                : view.Get(_last);
        }

        private static PayloadView<object> Part(PayloadView<object> view, PayloadViewMember<object, object> member) =>
            IsMap(view) ? view.AsDictionary<string, object>().TryGetValue(member.Name, out PayloadView<object> value)
                ? value
                : throw new ArgumentOutOfRangeException(member.Name)
            : view.GetView(member);

        private static object? ValueOf<TValue>(PayloadView<object> view, string key) =>
            view.AsDictionary<string, TValue>().TryGetValue(key, out PayloadView<TValue> value)
                ? value.ToObject()
                : throw new ArgumentOutOfRangeException(key);

        // Others, such as a bag, have an order of their own, which is not that of the payload.
        private static PayloadView<object> InOrder(PayloadView<object> view) => view.ToObject() is System.Collections.IList
            ? view
            : throw new NotSupportedException();

        private static bool IsMap(PayloadView<object> view) => view.ToObject() is System.Collections.IDictionary;
    }
}
